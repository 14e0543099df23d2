import { Injectable } from '@nestjs/common';
import { AuditService } from '../audit/audit.service.js';
import { NumberingService } from '../changes/numbering.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { ImportSuppliersService } from '../import-suppliers/import-suppliers.service.js';
import { FeedCheckRepository } from './feed-check.repository.js';
import type { FeedCheck } from './feed-check.types.js';

/** Compares the feed with what is stored. */
@Injectable()
export class FeedCheckService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly repository: FeedCheckRepository,
    private readonly numbering: NumberingService,
    private readonly audit: AuditService,
  ) {}

  /**
   * Look for a change of everything that is stored, in one snapshot; imports continue meanwhile.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice E3; decision 19 (docs/decisions/).
   */
  async check(code: string): Promise<FeedCheck> {
    const id = await this.work.single((tx) => this.suppliers.id(tx, code));
    return this.work.atSupplier(id, (at) => at.single((tx) => this.repository.check(tx, id)));
  }

  /**
   * {@link check}, and number what has no change, after the newest: a process of a version without the feed stored it beside one that
   * had migrated. It is recorded.
   *
   * @throws CommandError `supplier_not_found`
   */
  repair(code: string, operator: string): Promise<FeedCheck> {
    return this.work.write(async (tx) => {
      const id = await this.suppliers.id(tx, code);
      const check = await this.work.partOf(tx, id, async (part) => {
        await this.numbering.lock(part, id, true);
        const found = await this.repository.repair(part, id);
        if (found.missing > 0) await this.numbering.number(part, id);
        return found;
      });
      if (check.missing > 0) {
        const details = { missing: check.missing };
        await this.audit.record(tx, {
          ...{ operator, action: 'feed.repair', subject: code, importSupplier: code, details },
        });
      }
      return check;
    });
  }
}
