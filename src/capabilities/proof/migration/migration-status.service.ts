import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { DOCUMENT_REFERRERS } from '../../../ingest/documents/document-referrers.js';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { ImportProgressService } from '../../totals/import-progress.service.js';
import type { ImportProgress } from '../../totals/import-progress.types.js';
import { nextCommand, type NextCommand } from './next-command.js';

/** Tells operators how far a migration is, and what to do next. */
@Injectable()
export class MigrationStatusService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly progress: ImportProgressService,
  ) {}

  /**
   * @throws CommandError `supplier_not_found`
   * Source: choices, section 6 (`migration status`), C12.
   */
  async status(code: string): Promise<ImportProgress & { readonly next: NextCommand }> {
    const progress = await this.progress.supplier(code);
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    return { ...progress, next: nextCommand(code, progress, await this.areDocumentsUnseen(id)) };
  }

  private areDocumentsUnseen(importSupplierId: number): Promise<boolean> {
    return this.work.atSupplier(importSupplierId, async (node) => {
      for (const referrer of DOCUMENT_REFERRERS) {
        const found = await node.query((tx) => referrer.listNotSeen(tx, importSupplierId));
        if (found.some(({ documents }) => documents.length > 0)) return true;
      }
      return false;
    });
  }
}
