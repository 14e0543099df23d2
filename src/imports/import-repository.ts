import { run, type Query } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';
import { accessValues, type AccountAccess } from './account-access.js';
import type { ImportRequest } from './import-request.js';
import { itemValues, type Columns } from './item-columns.js';

declare const inTurn: unique symbol;

/**
 * A {@link Tx} in the turn of the organisation whose requests it stores. Only the runner (import-runner.ts) makes one, so no import query
 * can forget the turns in which organisations use the connections.
 */
export type ImportTx = Tx & { readonly [inTurn]: true };

/** What a query of an import is about, as in the metrics. The requests of each share queries with each other only. */
export const IMPORT_QUERIES = [
  'notes',
  'transactions',
  'moved_transactions',
  'historical_statements',
  'payment_instructions',
  'payment_instruction_lookups',
] as const;
export type ImportQueryName = (typeof IMPORT_QUERIES)[number];

/** The one query of an import, and the columns of what it is given. */
export class ImportRepository<Item, Request extends ImportRequest<Item>, Row extends AccountAccess> {
  constructor(
    readonly queryName: ImportQueryName,
    private readonly sql: Query<Row>,
    private readonly items: Columns<Item>,
    private readonly columns?: Columns<Request>,
  ) {}

  /**
   * Decide about requests, and store what they bring where that is allowed.
   *
   * @param requests for different accounts of the supplier, all of one organisation
   * @param bucket of the documents, the first part of their locations
   * @returns one row for each request, in their order
   */
  query(
    tx: ImportTx,
    importSupplierId: number,
    requests: readonly Request[],
    bucket: string,
  ): Promise<Row[]> {
    const own = this.columns?.values(requests) ?? {};
    const items = itemValues(this.items, requests);
    return run(tx, this.sql, accessValues(importSupplierId, requests, own, items, { bucket }));
  }
}
