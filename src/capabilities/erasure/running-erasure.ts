import { Injectable } from '@nestjs/common';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import type { OperatorChange } from '../../infrastructure/audit/audit.types.js';
import { NumberingService } from '../../infrastructure/change-log/numbering.service.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { sqlState } from '../../infrastructure/errors/sql-state.js';
import { isOnSeveralNodes } from '../../infrastructure/database/citus/database-kind.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../infrastructure/audit/evidence/evidence.service.js';
import { LONG_WAIT_MS, RequestsUnderWay } from '../../infrastructure/database/requests-under-way.js';
import { LISTED_KINDS, UNLISTED_KINDS } from './erased-rows.queries.js';
import { ErasureRepository } from './erasure.repository.js';
import type { Erasure, ErasureOrder, ErasureRun, ErasureState } from './erasure.types.js';
import { forEachItem } from '../../infrastructure/item-names/item-names.js';

/** Accounts that are erased together. */
const ACCOUNTS_MAX = 500;

/** SQLSTATE of deleting a row that other rows reference. */
const FOREIGN_KEY_VIOLATION = '23503';

/** The dependencies of an erasure. */
@Injectable()
export class ErasureTools {
  constructor(
    readonly work: UnitOfWork,
    readonly repository: ErasureRepository,
    readonly requests: RequestsUnderWay,
    readonly audit: AuditService,
    readonly evidence: EvidenceService,
    readonly numbering: NumberingService,
  ) {}
}

/** One run of an erasure, which advances while its documents are read. */
export class RunningErasure implements Erasure {
  state: ErasureState = {
    accounts: 0,
    rows: { ...forEachItem(() => 0), import_requests: 0, refusals: 0 },
  };
  isComplete = false;
  readonly documents: AsyncIterable<string>;
  /** This run has closed the supplier's accounts up to this number. */
  private after = '';

  constructor(
    private readonly tools: ErasureTools,
    private readonly order: ErasureOrder,
    private readonly run: ErasureRun,
  ) {
    this.documents = this.carryOut();
  }

  private async *carryOut(): AsyncGenerator<string> {
    if (this.order.externalAccountNumber === null) yield* this.completeAccountErasures();
    for (;;) {
      const numbers = this.isInterrupted ? undefined : await this.nextAccounts();
      if (numbers === undefined) break;
      if (numbers.length === 0) {
        await this.removeRefusals();
        if (this.isInterrupted) break;
        await this.end();
        return;
      }
      await this.removeEvidence(numbers);
      await this.waitForWriters();
      do yield* this.removeRows();
      while (!this.isInterrupted && !(await this.release(numbers)));
      if (this.isInterrupted) break;
    }
    // Interrupted: read the state again, so that it includes what the last step removed.
    await this.locked(() => Promise.resolve());
  }

  private get isInterrupted(): boolean {
    return this.order.interrupted.aborted;
  }

  /** Complete the erasures of single accounts that were interrupted or are carried out by another process. */
  private async *completeAccountErasures(): AsyncGenerator<string> {
    const { work, repository } = this.tools;
    const { import_supplier_id: id, run_id } = this.run;
    const numbers = await work.query((tx) => repository.openAccountErasures(tx, id));
    for (const externalAccountNumber of numbers) {
      const run = await work.query((tx) => repository.takeOver(tx, id, externalAccountNumber, run_id));
      if (run === undefined || this.isInterrupted) continue;
      yield* new RunningErasure(this.tools, { ...this.order, externalAccountNumber }, run).documents;
    }
  }

  /** The accounts that an earlier run left, or else the next ones of the supplier. */
  private async nextAccounts(): Promise<string[]> {
    const { repository } = this.tools;
    for (;;) {
      const closed = await this.locked((tx) => repository.closedAccounts(tx, this.run));
      if (closed.length > 0 || this.order.externalAccountNumber !== null) return closed;
      const next = await this.locked(async (tx) => {
        const numbers = await repository.listAccounts(tx, this.run, this.after, ACCOUNTS_MAX);
        await repository.closeAccounts(tx, this.run, numbers);
        return numbers;
      });
      const last = next.at(-1);
      if (last === undefined) return [];
      this.after = last;
    }
  }

  /** Remove the records of who saw the accounts. The audit entry of the erasure does not count them. */
  private async removeEvidence(numbers: readonly string[]): Promise<void> {
    const { evidence } = this.tools;
    const { importSupplier } = this.order;
    while (!this.isInterrupted) {
      if ((await this.locked((tx) => evidence.removeOfAccounts(tx, importSupplier, numbers))) === 0) break;
    }
  }

  /**
   * Wait for the transactions that may have seen an account before it was deleted. On several nodes this is not needed: the
   * foreign keys of the rows wait for them.
   */
  private async waitForWriters(): Promise<void> {
    const { work, requests } = this.tools;
    const haveForeignKeys = await work.query((tx) => Promise.resolve(isOnSeveralNodes(tx)));
    if (!haveForeignKeys)
      await requests.wait(this.run.import_supplier_id, this.order.interrupted, this.order.onLongWait);
  }

  private async *removeRows(): AsyncGenerator<string> {
    const { work, repository, numbering } = this.tools;
    // Number all changes first, so that the feed has every change of these accounts before any change of a new account with
    // the same number.
    await numbering.numberAll(this.run.import_supplier_id);
    for (const kind of LISTED_KINDS) {
      while (!this.isInterrupted) {
        const rows = await work.query((tx) => repository.listRows(tx, this.run, kind));
        if (rows.length === 0) break;
        for (const { locations } of rows) yield* locations;
        await this.locked((tx) => repository.removeListedRows(tx, this.run, kind, rows));
      }
    }
    for (const kind of UNLISTED_KINDS) {
      while (!this.isInterrupted) {
        if ((await this.locked((tx) => repository.removeRows(tx, this.run, kind))) === 0) break;
      }
    }
  }

  /** @returns false when a request that had already seen an account added a row to it (on several nodes only) */
  private async release(numbers: readonly string[]): Promise<boolean> {
    const longWait = setTimeout(this.order.onLongWait, LONG_WAIT_MS);
    try {
      await this.locked((tx) => this.tools.repository.releaseAccounts(tx, this.run, numbers));
      return true;
    } catch (error) {
      if (sqlState(error) === FOREIGN_KEY_VIOLATION) return false;
      throw error;
    } finally {
      clearTimeout(longWait);
    }
  }

  /** Refusals can also name numbers that are not accounts, and some are stored by transactions that have not seen the erasure. */
  private async removeRefusals(): Promise<void> {
    if (this.order.externalAccountNumber !== null) return;
    const { repository, requests } = this.tools;
    await requests.wait(this.run.import_supplier_id, this.order.interrupted, this.order.onLongWait);
    while (!this.isInterrupted) {
      if ((await this.locked((tx) => repository.removeRefusals(tx, this.run))) === 0) break;
    }
  }

  private async end(): Promise<void> {
    const { audit, repository } = this.tools;
    await this.locked(async (tx, reason) => {
      const { accounts, rows } = this.state;
      const counts = this.order.externalAccountNumber === null ? { accounts, ...rows } : rows;
      const details = { run: this.run.erasure_id, event: 'ended', outcome: 'complete', reason, ...counts };
      await audit.record(tx, changeOf(this.order, details));
      await repository.end(tx, this.run);
    });
    this.isComplete = true;
  }

  /** Run a step in a transaction that locks the erasure for this run. @throws CommandError `erasure_taken_over` */
  private locked<T>(step: (tx: Tx, reason: string) => Promise<T>): Promise<T> {
    const { work, repository } = this.tools;
    return work.write(async (tx) => {
      const locked = await repository.lock(tx, this.run);
      if (!locked) {
        throw new CommandError('erasure_taken_over', 'Another run of the command continues this erasure.');
      }
      this.state = locked.state;
      return step(tx, locked.reason);
    });
  }
}

/** The audit entry of a step of an erasure. */
export function changeOf(
  { importSupplier, externalAccountNumber, operator }: ErasureOrder,
  details: object,
): OperatorChange {
  return externalAccountNumber === null
    ? { operator, action: 'supplier.erase', subject: importSupplier, importSupplier, details }
    : {
        operator,
        action: 'account.erase',
        subject: externalAccountNumber,
        importSupplier,
        externalAccountNumber,
        details,
      };
}
