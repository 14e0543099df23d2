import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../infrastructure/errors/errors.js';
import { Batcher, type BatcherLoad } from '../infrastructure/database/batcher.js';
import { isItemThere } from '../infrastructure/database/lost-race.js';
import { run, type Query, type QueryParameters } from '../infrastructure/database/query.js';
import { UnitOfWork, type Tx } from '../infrastructure/database/unit-of-work.js';
import { DOCUMENT_BUCKET } from '../documents/document-location.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { accessValues, requireOpenAccount, type AccountAccess } from './account-access.js';
import type { Express } from './express-query.js';
import { ExpressUse } from './express-use.js';
import type { ImportRequest } from './import-request.js';
import { itemValues, type Columns } from './item-columns.js';

declare const inTurn: unique symbol;

/**
 * A {@link Tx} that went through the fair queue of the organisation whose requests it stores. Only {@link ImportRunner} makes
 * one, so no import query can bypass the queue in which organisations take turns with the connections.
 */
type ImportTx = Tx & { readonly [inTurn]: true };

/** The names of the import queries, as in the metrics. Requests share a query only with requests of the same name. */
export const IMPORT_QUERIES = [
  'notes',
  'transactions',
  'moved_transactions',
  'historical_statements',
  'payment_instructions',
  'payment_instruction_lookups',
] as const;
type ImportQueryName = (typeof IMPORT_QUERIES)[number];

/** The row that an import query returns for a request. */
interface ImportRow extends AccountAccess {
  /** The number of stored rows; null or undefined means none. */
  readonly stored?: number | null;
}

/** The queries of an import, and the columns of their parameters. */
export class ImportRepository<Item, Request extends ImportRequest<Item>, Row extends ImportRow> {
  /** @param express the query to try before the careful query `sql`, for a kind that has one */
  constructor(
    readonly queryName: ImportQueryName,
    private readonly sql: Query<Row>,
    private readonly columns: { readonly items: Columns<Item>; readonly request?: Columns<Request> },
    private readonly express?: Express<Request, Row>,
  ) {}

  /**
   * Check the access of requests, and store the items of those that have it.
   *
   * @param requests for different accounts of the supplier, all from one organisation
   * @param bucket the document bucket, the first part of document locations
   * @param use decides whether to try express; without it only the careful query runs
   * @returns one row for each request, in their order
   */
  async query(
    tx: ImportTx,
    importSupplierId: number,
    requests: readonly Request[],
    bucket: string,
    use?: ExpressUse,
  ): Promise<Row[]> {
    const items = itemValues(this.columns.items, requests);
    const values = (columns?: Columns<Request>): QueryParameters =>
      accessValues(importSupplierId, requests, columns?.values(requests) ?? {}, items, { bucket });
    const express = use?.isWorthwhile(importSupplierId) === true ? this.express : undefined;
    if (express) {
      const stored = await storedByExpress(tx, express, requests, values(express.columns));
      use?.tried(importSupplierId, stored !== undefined);
      if (stored) return stored;
    }
    const rows = await run(tx, this.sql, values(this.columns.request));
    // Whether express would have stored them, too.
    const isOrdinary = rows.every(
      (row, n) => row.is_open !== true || row.stored === requests[n]?.items.length,
    );
    if (!express) use?.leftOut(importSupplierId, isOrdinary);
    return rows;
  }
}

/** @returns undefined when the express query stored nothing */
async function storedByExpress<Request, Row extends AccountAccess>(
  tx: ImportTx,
  { sql, answer }: Express<Request, Row>,
  requests: readonly Request[],
  values: QueryParameters,
): Promise<Row[] | undefined> {
  try {
    const rows = await run(tx, sql, values);
    if (rows.some(({ is_ordinary }) => !is_ordinary)) return undefined;
    return requests.map((request, index) => ({ ...rows[index], ...answer(request) }) as Row);
  } catch (error) {
    if (isItemThere(error)) return undefined;
    throw error;
  }
}

/**
 * Runs the queries of all imports. Requests of the same kind, supplier and organisation share a query. Two requests for the same
 * account never share one, so the rows of different requests in a query do not conflict.
 *
 * Source: decisions 9 and 26 (docs/decisions/).
 */
@Injectable()
export class ImportRunner {
  private readonly batchers = new Map<ImportQueryName, BatcherLoad>();
  /** Also read by the metrics. */
  readonly express = new Map(IMPORT_QUERIES.map((name) => [name, new ExpressUse()]));

  constructor(
    private readonly work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Import a request, or try it in a dry run, which rolls back the careful query.
   *
   * @param repository the queries to run; its requests share them
   * @returns the row of the request, whose account is open
   * @throws AppError as {@link requireOpenAccount} when the account access check refuses the request; `service_unavailable` when
   *   other requests store the same items first at every retry
   * Source: choices A8, S2, S8, T10, R1.
   */
  async run<Item, Request extends ImportRequest<Item>, Row extends ImportRow>(
    repository: ImportRepository<Item, Request, Row>,
    request: Request,
    isDryRun: boolean,
  ): Promise<Row> {
    const importSupplierId = await this.supplierIds.find(request.account.importSupplier);
    if (importSupplierId === undefined) throw new AppError('account_not_found');
    const answered = isDryRun
      ? this.dryRun(repository, importSupplierId, request)
      : this.batcherOf(repository).enqueue(importSupplierId, request);
    const row = await answered.catch((cause: unknown) => {
      // Other requests stored the items first at every retry.
      throw isItemThere(cause) ? new AppError('service_unavailable', { cause }) : cause;
    });
    requireOpenAccount(row);
    return row;
  }

  /** How many requests are waiting and how many were sent; undefined before the first request. */
  loadOf(name: ImportQueryName): BatcherLoad | undefined {
    return this.batchers.get(name);
  }

  private batcherOf<Item, Request extends ImportRequest<Item>, Row extends ImportRow>(
    repository: ImportRepository<Item, Request, Row>,
  ): Batcher<Request, Row> {
    // Each name has one repository, and the batcher was made for it, so the types agree.
    const known = this.batchers.get(repository.queryName) as Batcher<Request, Row> | undefined;
    if (known) return known;
    const use = this.express.get(repository.queryName);
    const batcher = new Batcher<Request, Row>(this.work, {
      execute: (tx, importSupplierId, requests) =>
        repository.query(tx as ImportTx, importSupplierId, requests, this.bucket, use),
      rowsOf: ({ items }) => items.length,
      ownerOf: ({ caller }) => caller.organisationId,
      keyOf: ({ account }) => account.externalAccountNumber,
    });
    this.batchers.set(repository.queryName, batcher);
    return batcher;
  }

  private async dryRun<Item, Request extends ImportRequest<Item>, Row extends ImportRow>(
    repository: ImportRepository<Item, Request, Row>,
    importSupplierId: number,
    request: Request,
  ): Promise<Row> {
    const [row] = await this.work.atSupplier(importSupplierId, (node) =>
      node.inFairQueue(request.caller.organisationId, () =>
        node.dryRun((tx) => repository.query(tx as ImportTx, importSupplierId, [request], this.bucket)),
      ),
    );
    if (!row) throw new Error('An import was not answered.');
    return row;
  }
}
