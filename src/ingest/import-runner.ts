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
 * A {@link Tx} in the turn of the organisation whose requests it stores. Only {@link ImportRunner} makes one, so no import query
 * can forget the turns in which organisations use the connections.
 */
type ImportTx = Tx & { readonly [inTurn]: true };

/** What a query of an import is about, as in the metrics. The requests of each share queries with each other only. */
export const IMPORT_QUERIES = [
  'notes',
  'transactions',
  'moved_transactions',
  'historical_statements',
  'payment_instructions',
  'payment_instruction_lookups',
] as const;
type ImportQueryName = (typeof IMPORT_QUERIES)[number];

/** What the query of an import answers of a request. */
interface ImportRow extends AccountAccess {
  /** Rows that were stored; null or nothing for none. */
  readonly stored?: number | null;
}

/** The queries of an import, and the columns of what they are given. */
export class ImportRepository<Item, Request extends ImportRequest<Item>, Row extends ImportRow> {
  /** @param express what is tried before the careful query `sql`, of a kind that has it */
  constructor(
    readonly queryName: ImportQueryName,
    private readonly sql: Query<Row>,
    private readonly columns: { readonly items: Columns<Item>; readonly request?: Columns<Request> },
    private readonly express?: Express<Request, Row>,
  ) {}

  /**
   * Decide about requests, and store what they bring where that is allowed.
   *
   * @param requests for different accounts of the supplier, all of one organisation
   * @param bucket of the documents, the first part of their locations
   * @param use whether express is worth trying; without it only the careful query runs
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
    // Express would have stored them, too.
    const isOrdinary = rows.every(
      (row, n) => row.is_open !== true || row.stored === requests[n]?.items.length,
    );
    if (!express) use?.leftOut(importSupplierId, isOrdinary);
    return rows;
  }
}

/** @returns nothing when the express query has stored nothing */
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
 * Runs the queries of all imports. Requests of the same kind, supplier and organisation share a query; two for the same account
 * never do, so within a query no row of one request conflicts with a row of another.
 *
 * Source: decisions 9 and 26 (docs/decisions/).
 */
@Injectable()
export class ImportRunner {
  private readonly batchers = new Map<ImportQueryName, BatcherLoad>();
  /** For the metrics, too. */
  readonly express = new Map(IMPORT_QUERIES.map((name) => [name, new ExpressUse()]));

  constructor(
    private readonly work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Import, or only try it: a dry run is the careful query, rolled back.
   *
   * @param repository whose query is run; its requests share queries with each other
   * @returns the row of a request whose account is open
   * @throws AppError what the account access check refuses ({@link requireOpenAccount}); `service_unavailable` when other
   *   requests store its items first again and again
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
      // Others were first at every try.
      throw isItemThere(cause) ? new AppError('service_unavailable', { cause }) : cause;
    });
    requireOpenAccount(row);
    return row;
  }

  /** How many requests wait and were sent; undefined before the first of them. */
  loadOf(name: ImportQueryName): BatcherLoad | undefined {
    return this.batchers.get(name);
  }

  private batcherOf<Item, Request extends ImportRequest<Item>, Row extends ImportRow>(
    repository: ImportRepository<Item, Request, Row>,
  ): Batcher<Request, Row> {
    // There is one repository of a name, for which the batcher was made, so it has the same types.
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
    const [row] = await this.work.atSupplier(importSupplierId, (at) =>
      at.inFairQueue(request.caller.organisationId, () =>
        at.dryRun((tx) => repository.query(tx as ImportTx, importSupplierId, [request], this.bucket)),
      ),
    );
    if (!row) throw new Error('An import was not answered.');
    return row;
  }
}
