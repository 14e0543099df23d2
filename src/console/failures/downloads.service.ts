import { Injectable } from '@nestjs/common';
import {
  FIRST_FAILED,
  LAST_CAUSE,
  type FailedAccountCursor,
} from '../../importing/failure-cause.js';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { csvRecord } from '../../common/csv.js';
import { FailedImportsRepository } from './failed-imports.repository.js';
import { optionalTextOf, periodOf, refusalCauseOf, sinceOf, type SentQuery } from './failures-query.js';
import { RefusalGroupsRepository, type RefusalFilter, type RefusalRow } from './refusals.repository.js';
import { ANOTHER_ORGANISATION, RequestOwners } from './request-owners.js';

/** Rows that are held in memory at a time. */
const PAGE_ROWS = 1_000;

const REFUSAL_COLUMNS = [
  ...['at', 'kind', 'status', 'code', 'field_code', 'attr', 'value', 'dry_run', 'external_account_number'],
  'request_id',
];
const FAILED_COLUMNS = ['external_account_number', 'failed_at', 'failure'];

/** What fails of a supplier as CSV files, in constant memory: each page of rows is read when it is needed. */
@Injectable()
export class FailureDownloadsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly refusals: RefusalGroupsRepository,
    private readonly failedImports: FailedImportsRepository,
    private readonly owners: RequestOwners,
    private readonly clock: Clock,
  ) {}

  /**
   * The refused requests of a period, of one group or of all, newest first.
   *
   * @throws PageNotFound as the page of the groups
   * Source: choices C3, C9.
   */
  async listRefusals(viewer: Viewer, code: string, query: SentQuery): Promise<AsyncIterable<string>> {
    const { id } = await this.suppliers.find(viewer, code);
    const filter = {
      since: sinceOf(periodOf(query), this.clock.now()),
      cause: query.cause === undefined ? undefined : refusalCauseOf(query),
    };
    return this.refusalRecords(id, filter, await this.owners.of(viewer));
  }

  /**
   * The failed accounts, of one group or of all.
   *
   * @throws PageNotFound as the page of the groups
   * Source: choices C3, C9.
   */
  async listFailedImports(viewer: Viewer, code: string, query: SentQuery): Promise<AsyncIterable<string>> {
    const { id } = await this.suppliers.find(viewer, code);
    const cause = optionalTextOf(query, 'cause');
    return cause === undefined
      ? this.failedRecords(id, FIRST_FAILED, LAST_CAUSE)
      : this.failedRecords(id, { cause, external_account_number: '' }, cause);
  }

  private async *refusalRecords(
    supplierId: number,
    filter: RefusalFilter,
    isOwn: (apiKeyId: string) => boolean,
  ): AsyncGenerator<string> {
    yield csvRecord(REFUSAL_COLUMNS);
    let last: RefusalRow | undefined;
    do {
      const before = last;
      const page = await this.work.single((tx) =>
        this.refusals.list(tx, supplierId, filter, before, PAGE_ROWS),
      );
      const records = page.map((row) =>
        csvRecord([
          ...[row.at, row.kind, row.status, row.code, row.field_code, row.attr, row.value, row.is_dry_run],
          row.external_account_number,
          isOwn(row.api_key_id) ? row.request_id : ANOTHER_ORGANISATION,
        ]),
      );
      yield records.join('');
      last = page.length === PAGE_ROWS ? page.at(-1) : undefined;
    } while (last);
  }

  private async *failedRecords(
    supplierId: number,
    first: FailedAccountCursor,
    lastCause: string,
  ): AsyncGenerator<string> {
    yield csvRecord(FAILED_COLUMNS);
    for (let from: FailedAccountCursor | undefined = first; from;) {
      const begin: FailedAccountCursor = from;
      const page = await this.work.single((tx) =>
        this.failedImports.listAccounts(tx, supplierId, begin, lastCause, PAGE_ROWS + 1),
      );
      const records = page
        .slice(0, PAGE_ROWS)
        .map((row) => csvRecord([row.external_account_number, row.failed_at, row.failure]));
      yield records.join('');
      from = page[PAGE_ROWS];
    }
  }
}
