import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '../common/errors.js';
import { Batcher, type BatcherLoad } from '../database/batcher.js';
import { run, type Query } from '../database/query.js';
import { UnitOfWork, type Tx } from '../database/unit-of-work.js';
import { DOCUMENT_BUCKET } from '../documents/document-location.js';
import { SupplierIds } from '../import-suppliers/supplier-ids.js';
import { accessValues, requireOpenAccount, type AccountAccess } from './account-access.js';
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

/**
 * Runs the queries of all imports. Requests of the same kind, supplier and organisation share a query; two for the same account
 * never do, so within a query no row of one request conflicts with a row of another.
 *
 * Source: decisions 7 and 9 (docs/decisions/).
 */
@Injectable()
export class ImportRunner {
  private readonly batchers = new Map<ImportQueryName, BatcherLoad>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly supplierIds: SupplierIds,
    @Inject(DOCUMENT_BUCKET) private readonly bucket: string,
  ) {}

  /**
   * Import, or only try it: the same query decides in both modes, and a dry run is rolled back.
   *
   * @param repository whose query is run; its requests share queries with each other
   * @returns the row of a request whose account is open
   * @throws AppError what the account access check refuses ({@link requireOpenAccount})
   * Source: choices A8, S2, S8, T10, R1.
   */
  async run<Item, Request extends ImportRequest<Item>, Row extends AccountAccess>(
    repository: ImportRepository<Item, Request, Row>,
    request: Request,
    isDryRun: boolean,
  ): Promise<Row> {
    const importSupplierId = await this.supplierIds.find(request.account.importSupplier);
    if (importSupplierId === undefined) throw new AppError('account_not_found');
    const row = isDryRun
      ? await this.dryRun(repository, importSupplierId, request)
      : await this.batcherOf(repository).enqueue(importSupplierId, request);
    requireOpenAccount(row);
    return row;
  }

  /** How many requests wait and were sent; undefined before the first of them. */
  loadOf(name: ImportQueryName): BatcherLoad | undefined {
    return this.batchers.get(name);
  }

  private batcherOf<Item, Request extends ImportRequest<Item>, Row extends AccountAccess>(
    repository: ImportRepository<Item, Request, Row>,
  ): Batcher<Request, Row> {
    // There is one repository of a name, for which the batcher was made, so it has the same types.
    const known = this.batchers.get(repository.queryName) as Batcher<Request, Row> | undefined;
    if (known) return known;
    const batcher = new Batcher<Request, Row>(this.work, {
      execute: (tx, importSupplierId, requests) =>
        repository.query(tx as ImportTx, importSupplierId, requests, this.bucket),
      rowsOf: ({ items }) => items.length,
      ownerOf: ({ caller }) => caller.organisationId,
      keyOf: ({ account }) => account.externalAccountNumber,
    });
    this.batchers.set(repository.queryName, batcher);
    return batcher;
  }

  private async dryRun<Item, Request extends ImportRequest<Item>, Row extends AccountAccess>(
    repository: ImportRepository<Item, Request, Row>,
    importSupplierId: number,
    request: Request,
  ): Promise<Row> {
    const [row] = await this.work.atSupplier(importSupplierId, (at) =>
      at.inTurn(request.caller.organisationId, () =>
        at.dryRun((tx) => repository.query(tx as ImportTx, importSupplierId, [request], this.bucket)),
      ),
    );
    if (!row) throw new Error('An import was not answered.');
    return row;
  }
}
