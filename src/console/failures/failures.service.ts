import { Injectable } from '@nestjs/common';
import { RetryService } from '../../importing/retry.service.js';
import { Clock } from '../../common/clock.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { NotAllowed, PageNotFound } from '../common/page-errors.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { FailedImportsRepository, type FailureGroupRow } from './failed-imports.repository.js';
import {
  countOf,
  optionalTextOf,
  periodOf,
  refusalCauseOf,
  sinceOf,
  textOf,
  type SentQuery,
} from './failures-query.js';
import type {
  FailedAccounts,
  FailureGroup,
  Failures,
  Groups,
  RefusalGroup,
  RefusedAccounts,
} from './failures.types.js';
import { RefusalGroupsRepository, type RefusalGroupRow } from './refusals.repository.js';
import { RequestOwners } from './request-owners.js';

/** Accounts on a page of a group. */
const PAGE_ROWS = 100;

/** What fails of a supplier, grouped by cause. */
@Injectable()
export class FailuresService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly refusals: RefusalGroupsRepository,
    private readonly failedImports: FailedImportsRepository,
    private readonly owners: RequestOwners,
    private readonly retries: RetryService,
    private readonly clock: Clock,
  ) {}

  /**
   * The groups of refused requests since some time, and those of the accounts that are failed now, the largest first.
   *
   * @throws PageNotFound when the viewer does not see the supplier, or the query has something else than a period
   * Source: choices C3, C9.
   */
  async show(viewer: Viewer, code: string, query: SentQuery): Promise<Failures> {
    const supplier = await this.suppliers.find(viewer, code);
    const period = periodOf(query);
    const since = sinceOf(period, this.clock.now());
    const [refusals, failedImports] = await Promise.all([
      this.work.single((tx) => this.refusals.listGroups(tx, supplier.id, { since, cause: undefined })),
      this.work.single((tx) => this.failedImports.listGroups(tx, supplier.id, undefined)),
    ]);
    const isOwn = await this.owners.of(viewer);
    return {
      ...{ supplier, period },
      refusals: toGroups(refusals, (row) => toRefusalGroup(row, isOwn)),
      failedImports: toGroups(failedImports, toFailureGroup),
      mayRetry: viewer.kind === 'operator',
      retried: countOf(query, 'retried'),
    };
  }

  /**
   * The accounts of a group of refused requests, page by page in the order of their numbers.
   *
   * @throws PageNotFound also when there is nothing of this group in the period
   * Source: choices C3, C9.
   */
  async showRefused(viewer: Viewer, code: string, query: SentQuery): Promise<RefusedAccounts> {
    const supplier = await this.suppliers.find(viewer, code);
    const period = periodOf(query);
    const filter = { since: sinceOf(period, this.clock.now()), cause: refusalCauseOf(query) };
    const from = optionalTextOf(query, 'from');
    const [[row], found] = await Promise.all([
      this.work.single((tx) => this.refusals.listGroups(tx, supplier.id, filter)),
      this.work.single((tx) =>
        this.refusals.listAccounts(tx, supplier.id, filter, from ?? '', PAGE_ROWS + 1),
      ),
    ]);
    if (!row) throw new PageNotFound();
    return {
      ...{ supplier, period },
      group: toRefusalGroup(row, await this.owners.of(viewer)),
      accounts: found.slice(0, PAGE_ROWS).map((account) => ({
        externalAccountNumber: account.external_account_number,
        count: account.count,
        firstAt: account.first_at,
        lastAt: account.last_at,
      })),
      next: found[PAGE_ROWS]?.external_account_number,
      isFirst: from === undefined,
    };
  }

  /**
   * The accounts of a group of failed imports, page by page in the order of their numbers.
   *
   * @throws PageNotFound also when no account of this group is failed
   * Source: choices C3, C9.
   */
  async showFailed(viewer: Viewer, code: string, query: SentQuery): Promise<FailedAccounts> {
    const supplier = await this.suppliers.find(viewer, code);
    const cause = textOf(query, 'cause');
    const from = optionalTextOf(query, 'from');
    const first = { cause, external_account_number: from ?? '' };
    const [[row], found] = await Promise.all([
      this.work.single((tx) => this.failedImports.listGroups(tx, supplier.id, cause)),
      this.work.single((tx) => this.failedImports.listAccounts(tx, supplier.id, first, cause, PAGE_ROWS + 1)),
    ]);
    if (!row) throw new PageNotFound();
    return {
      supplier,
      group: toFailureGroup(row),
      accounts: found.slice(0, PAGE_ROWS).map((account) => ({
        externalAccountNumber: account.external_account_number,
        failure: account.failure,
        failedAt: account.failed_at,
      })),
      next: found[PAGE_ROWS]?.external_account_number,
      isFirst: from === undefined,
      mayRetry: viewer.kind === 'operator',
    };
  }

  /**
   * Put failed accounts back to pending: those of a cause, or one.
   *
   * @returns how many
   * @throws PageNotFound when the viewer does not see the supplier
   * @throws NotAllowed to an admin, and when neither was named
   * Source: choices C3, C9.
   */
  async retry(viewer: Viewer, code: string, accounts: { cause?: string; number?: string }): Promise<number> {
    await this.suppliers.find(viewer, code);
    const { cause, number } = accounts;
    if (viewer.kind !== 'operator') throw new NotAllowed();
    const { recordedAs: operator } = viewer;
    if (cause !== undefined) return (await this.retries.retry(code, { cause }, { operator })).pending;
    if (number === undefined) throw new NotAllowed();
    return (await this.retries.retry(code, { numbers: [number] }, { operator })).pending;
  }
}

function toGroups<Row extends { readonly count_of_all: number; readonly group_count: number }, Group>(
  rows: readonly Row[],
  toGroup: (row: Row) => Group,
): Groups<Group> {
  const { count_of_all: count = 0, group_count: groupCount = 0 } = rows[0] ?? {};
  return { groups: rows.map(toGroup), count, groupCount };
}

/** @param isOwn whether a request with this API key may be shown */
function toRefusalGroup(row: RefusalGroupRow, isOwn: (apiKeyId: string) => boolean): RefusalGroup {
  return {
    cause: row.cause,
    kind: row.kind,
    status: row.status,
    code: row.code,
    fieldCode: row.field_code,
    field: row.field,
    isDryRun: row.is_dry_run,
    count: row.count,
    firstAt: row.first_at,
    lastAt: row.last_at,
    values: row.refused_values ?? [],
    samples: row.samples.map(({ request_id, api_key_id, external_account_number }) => ({
      requestId: isOwn(api_key_id) ? request_id : undefined,
      externalAccountNumber: external_account_number,
    })),
  };
}

function toFailureGroup({ cause, count, first_at, last_at, samples }: FailureGroupRow): FailureGroup {
  return { cause, count, firstAt: first_at, lastAt: last_at, samples };
}
