import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { fieldError, validationError } from '../../infrastructure/errors/errors.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { run } from '../../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { TotalsService } from '../totals/totals.service.js';
import { ADD, FORGET, LIST, RECORD, STATE } from './readers.queries.js';
import type { FeedReader, FeedState } from './readers.types.js';

/** The feeds of suppliers as operators see them. */
@Injectable()
export class ReadersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly totals: TotalsService,
    private readonly numbering: NumberingService,
    private readonly audit: AuditService,
  ) {}

  /**
   * The state of a feed, and how far its readers are behind. Visible changes are numbered first, unless another process is
   * doing so.
   *
   * @throws CommandError `supplier_not_found`
   * Source: choice E6.
   */
  async state(code: string): Promise<FeedState> {
    const id = await this.work.query((tx) => this.suppliers.id(tx, code));
    await this.totals.carryOverSome(id, false);
    const readers = await this.readers(id);
    const [state] = await this.work.atSupplier(id, (node) =>
      node.query((tx) => run(tx, STATE, { import_supplier_id: id })),
    );
    if (state) return { ...state, readers };
    await this.numbering.numberAll(id);
    return this.state(code);
  }

  readers(importSupplierId: number): Promise<FeedReader[]> {
    return this.work.atSupplier(importSupplierId, (node) =>
      node.query((tx) => run(tx, LIST, { import_supplier_id: importSupplierId })),
    );
  }

  /**
   * Record a request of a reader and, if it has a cursor, that everything up to its number is done.
   *
   * @throws AppError `validation_error` with `too_many_readers`
   * Source: choice E6.
   */
  record(
    importSupplierId: number,
    { name, keyId, sequence = null }: { name: string; keyId: string; sequence?: number | null | undefined },
  ): Promise<void> {
    const parameters = { import_supplier_id: importSupplierId, name, platform_key_id: keyId, sequence };
    return this.work.atSupplier(importSupplierId, async (node) => {
      if ((await node.query((tx) => run(tx, RECORD, parameters))).length > 0) return;
      const added = await node.write(async (tx) => {
        // So that two names added at the same time count each other.
        await this.numbering.lock(tx, importSupplierId, true);
        return run(tx, ADD, parameters);
      });
      if (added.length === 0) throw validationError([fieldError('too_many_readers', 'reader')]);
    });
  }

  /**
   * Forget a reader that is no longer used, for every key that has read under its name. A reader that comes back is added
   * again.
   *
   * @param code of a single supplier; all suppliers by default
   * @returns the codes of the suppliers that had this reader
   * @throws CommandError `supplier_not_found` or `reader_not_found`
   * Source: choices E6, O6.
   */
  forget(name: string, code: string | undefined, operator: string): Promise<string[]> {
    return this.ofEach(code, async (tx, importSupplierId, importSupplier) => {
      const forgotten = await this.work.joinAtSupplier(tx, importSupplierId, (part) =>
        run(part, FORGET, { import_supplier_id: importSupplierId, name }),
      );
      for (const details of forgotten) {
        await this.audit.record(tx, {
          ...{ operator, action: 'feed.forget_reader', subject: name, importSupplier, details },
        });
      }
      return forgotten.length > 0;
    }).then((codes) => {
      if (codes.length > 0) return codes;
      throw new CommandError('reader_not_found', `There is no reader ${name}.`);
    });
  }

  /**
   * Begin a new epoch, because numbers that readers have seen may be given to other changes. After a restore `database
   * restored` does the same.
   *
   * @param code of a single supplier; all suppliers by default
   * @returns the codes of the suppliers
   * @throws CommandError `supplier_not_found`
   * Source: choices E7, O6.
   */
  newEpoch(code: string | undefined, reason: string, operator: string): Promise<string[]> {
    return this.ofEach(code, async (tx, importSupplierId, importSupplier) => {
      await this.numbering.beginEpoch(tx, importSupplierId, reason);
      const details = { reason };
      await this.audit.record(tx, {
        ...{ operator, action: 'feed.new_epoch', subject: importSupplier, importSupplier, details },
      });
      return true;
    });
  }

  /** Apply `change` to the feed of each supplier, in a transaction each. @returns the codes of the suppliers that it changed */
  private async ofEach(
    code: string | undefined,
    change: (tx: Tx, importSupplierId: number, code: string) => Promise<boolean>,
  ): Promise<string[]> {
    const codes =
      code === undefined ? (await this.suppliers.list()).map((supplier) => supplier.code) : [code];
    const done: string[] = [];
    for (const each of codes) {
      const isDone = await this.work.write(async (tx) => change(tx, await this.suppliers.id(tx, each), each));
      if (isDone) done.push(each);
    }
    return done;
  }
}
