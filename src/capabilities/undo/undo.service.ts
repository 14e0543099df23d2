import { Injectable } from '@nestjs/common';
import { RequestsUnderWay } from '../../infrastructure/database/requests-under-way.js';
import {
  recordChanges,
  type HeardChange,
  type RowsChange,
} from '../../infrastructure/change-log/record-changes.js';
import type { OperatorChange } from '../../infrastructure/audit/audit.types.js';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { ImportRequestsService } from './import-requests.service.js';
import type { StoredRequest } from '../request-log/requests/stored-requests.types.js';
import type { ChosenRequests, RequestCounts } from './import-requests.types.js';
import { UndoRepository, type MarkedRequest, type RemovedRows } from './undo.repository.js';
import {
  forEachItem,
  ITEM_NAMES,
  type ItemCounts,
  type ItemName,
} from '../../infrastructure/item-names/item-names.js';
import { countedAs, sumOfCounts } from '../../ingest/kinds/items.js';

/** The requests to undo, and the reason. */
export interface UndoOrder {
  readonly importSupplier: string;
  readonly chosen: ChosenRequests;
  /** Recorded permanently, so it must not name a customer. */
  readonly reason: string;
  /** The name that is recorded in the audit. */
  readonly operator: string;
  /** Stops the undo after the current batch. */
  readonly interrupted: AbortSignal;
  /** Called after each batch with the number of rows that were removed. */
  readonly onProgress: (rows: number) => void;
}

export interface UndoOutcome {
  readonly requests: number;
  /** Including the notes that were pinned. */
  readonly rows: ItemCounts;
}

/** Requests that are read at a time. Those of the same account are undone together. */
const PAGE_REQUESTS = 5_000;
/** Rows of one batch, or all rows of a single request: a fraction of a second of work. */
const BATCH_ROWS = 5_000;

const NOTHING: UndoOutcome = {
  requests: 0,
  rows: forEachItem(() => 0),
};

/**
 * Removes what import requests have stored, so that it can be sent again.
 *
 * Each batch of requests is one transaction, in which the supplier is paused. It removes the rows, marks the records and
 * changes the totals. Each request is therefore undone as a whole or not at all, and an interrupted undo can be repeated.
 */
@Injectable()
export class UndoService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ImportSuppliersService,
    private readonly requests: ImportRequestsService,
    private readonly underWay: RequestsUnderWay,
    private readonly repository: UndoRepository,
    private readonly audit: AuditService,
  ) {}

  /**
   * Wait for the import requests that were under way when the supplier was paused.
   *
   * @param onLongWait called once when it takes long
   * @returns how many requests are chosen afterwards
   * @throws CommandError `supplier_not_found`, `organisation_not_found`, `import_supplier_not_paused` or
   *   `several_organisations`
   * Source: choice V7; decision 16 (docs/decisions/).
   */
  async prepare(
    code: string,
    chosen: ChosenRequests,
    interrupted: AbortSignal,
    onLongWait: () => void,
  ): Promise<RequestCounts> {
    const id = await this.work.query((tx) => this.suppliers.paused(tx, code));
    await this.underWay.wait(id, interrupted, onLongWait);
    return this.requests.countToUndo(code, chosen);
  }

  /**
   * Undo the chosen requests, and record this with the first batch and at the end. Requests that were undone before or are
   * being erased stay as they are.
   *
   * @throws CommandError `supplier_not_found`, or `import_supplier_not_paused`, also when it is resumed meanwhile
   * Source: choices V7, O6; decision 16 (docs/decisions/).
   */
  async undo(order: UndoOrder): Promise<UndoOutcome> {
    const { importSupplier, chosen, interrupted, onProgress } = order;
    const record = this.audit.run(changeOf(order));
    let outcome = NOTHING;
    try {
      const id = await this.work.query((tx) => this.suppliers.paused(tx, importSupplier));
      const pages = this.requests.pages(id, chosen, { withUndone: false, countMax: PAGE_REQUESTS });
      for await (const page of pages) {
        for (const batch of batchesOf(page)) {
          if (interrupted.aborted) break;
          await this.suppliers.letChangesPass();
          const done = await record.write(
            (tx) => this.undoBatch(tx, importSupplier, batch),
            ({ requests }) => requests > 0,
          );
          outcome = sumOf(outcome, done);
          onProgress(batch.reduce((sum, { rows }) => sum + rows, 0));
        }
        if (interrupted.aborted) break;
      }
    } catch (error) {
      await record.fail(countsOf(outcome));
      throw error instanceof CommandError ? afterPart(error, outcome) : error;
    }
    await record.end(interrupted.aborted ? 'interrupted' : 'complete', countsOf(outcome));
    return outcome;
  }

  private async undoBatch(tx: Tx, code: string, batch: readonly StoredRequest[]): Promise<UndoOutcome> {
    const id = await this.suppliers.paused(tx, code, 'change');
    // Only one undo runs at a time: otherwise each of two could leave it to the other to name the first note of a content.
    // Nothing is stored meanwhile, even when the supplier was resumed and paused again since {@link prepare}.
    // A signal does not shorten this wait: the batch would then run beside a request.
    await this.underWay.wait(id, AbortSignal.any([]), () => undefined);
    const marked = await this.repository.mark(tx, id, batch);
    const changes = new AccountChanges(marked);
    const rows: Record<ItemName, number> = { ...NOTHING.rows };
    for (const kind of ITEM_NAMES) {
      const removed = await this.repository.remove(tx, id, kind, marked.filter(hasStored(kind)));
      rows[kind] = changes.remove(kind, removed);
    }
    await recordChanges(tx, id, [...changes.all, ...marked.map(undone)]);
    return { requests: marked.length, rows };
  }
}

/** Whether a request has stored rows of a kind. A request of transactions may also have pinned a note. */
function hasStored(item: ItemName): (request: MarkedRequest) => boolean {
  return ({ kind, pinned_notes }) => countedAs(kind) === item || (item === 'notes' && pinned_notes > 0);
}

function undone({ external_account_number, id }: MarkedRequest): HeardChange {
  return { type: 'import.undone', external_account_number, import_request_id: id };
}

/** Collects how the counts of each account change. */
class AccountChanges {
  private readonly changes = new Map<string, RowsChange>();

  constructor(requests: readonly MarkedRequest[]) {
    for (const { external_account_number: number, pinned_notes } of requests) {
      const before = this.changes.get(number);
      this.changes.set(number, {
        external_account_number: number,
        requests: (before?.requests ?? 0) - 1,
        pinned_notes: (before?.pinned_notes ?? 0) - pinned_notes,
      });
    }
  }

  get all(): readonly RowsChange[] {
    return [...this.changes.values()];
  }

  /** @returns how many rows were removed */
  remove(kind: ItemName, rows: readonly RemovedRows[]): number {
    for (const { external_account_number: number, removed, amount } of rows) {
      this.changes.set(number, {
        external_account_number: number,
        ...this.changes.get(number),
        [kind]: -removed,
        ...(amount !== null && { amount }),
      });
    }
    return rows.reduce((sum, { removed }) => sum + removed, 0);
  }
}

/** Batches of at least one request. Requests of the same account are adjacent, so that its rows are read few times. */
export function batchesOf(requests: readonly StoredRequest[]): StoredRequest[][] {
  const ordered = [...requests].sort((one, other) =>
    one.external_account_number < other.external_account_number ? -1 : 1,
  );
  const batches: StoredRequest[][] = [];
  let rows = Infinity;
  for (const request of ordered) {
    if (rows + request.rows > BATCH_ROWS) {
      batches.push([]);
      rows = 0;
    }
    batches.at(-1)?.push(request);
    rows += request.rows;
  }
  return batches;
}

function sumOf(one: UndoOutcome, other: UndoOutcome): UndoOutcome {
  return { requests: one.requests + other.requests, rows: sumOfCounts(one.rows, other.rows) };
}

function countsOf({ requests, rows }: UndoOutcome): object {
  return { requests, ...rows };
}

/** Adds to an error what was undone before a later batch failed. */
function afterPart({ code, message }: CommandError, { requests }: UndoOutcome): CommandError {
  if (requests === 0) return new CommandError(code, message);
  const done = requests === 1 ? '1 import request is' : `${requests} import requests are`;
  return new CommandError(code, `${message} ${done} undone; then run the command again to undo the rest.`);
}

/** The audit entry of an undo: of one account when its number is chosen. */
function changeOf({ importSupplier, chosen, reason, operator }: UndoOrder): OperatorChange {
  const { requestId, requestPrefix, externalAccountNumber, since, until, apiKeyId, kind, organisation } =
    chosen;
  const details = {
    reason,
    filter: {
      ...{ request_id: requestId, request_prefix: requestPrefix, kind, api_key_id: apiKeyId, organisation },
      ...{ since: since && formatDateTime(since), until: until && formatDateTime(until) },
    },
  };
  return {
    operator,
    action: externalAccountNumber === undefined ? 'supplier.undo_imports' : 'account.undo_imports',
    subject: externalAccountNumber ?? importSupplier,
    importSupplier,
    ...(externalAccountNumber !== undefined && { externalAccountNumber }),
    details,
  };
}
