import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { csvRecord } from '../../common/csv.js';
import { inPages } from '../../common/in-pages.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EvidenceService } from '../../evidence/evidence.service.js';
import { RetryRunsService } from '../../importing/retry-runs.service.js';
import { RetryService } from '../../importing/retry.service.js';
import { RequestReadersService } from '../../sent-requests/request-readers.service.js';
import { NotAllowed, PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type FormFields, type SentQuery } from '../common/parameters.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { organisationOf, type Viewer } from '../viewers/viewer.js';
import { FailedImportsRepository } from './failed-imports.repository.js';
import { failedImports, refusedRequests } from './failure-sources.js';
import { retriedOf } from '../common/retried.js';
import { causeOf, periodOf, sinceOf, sourceOf } from './failures-query.js';
import type {
  AccountsOfCause,
  CauseRow,
  Causes,
  FailureFilter,
  FailureRecord,
  Failures,
  FailureSource,
  Period,
  Source,
} from './failures.types.js';

/** Accounts on a page. */
const PAGE_ROWS = 100;
/** Records that are held in memory at a time. */
const RECORDS_MAX = 1_000;

/** What of the failures an address asks for. */
export interface WantedFailures {
  /** Of the supplier. */
  readonly code: string;
  /** A name of one of the sources. */
  readonly source: string;
  readonly query: SentQuery;
}

/** The failures of a supplier by their causes. */
@Injectable()
export class FailuresService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly readers: RequestReadersService,
    private readonly retries: RetryService,
    private readonly runs: RetryRunsService,
    private readonly clock: Clock,
    private readonly imports: FailedImportsRepository,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * The causes of refused requests since some time, and those of the accounts that are failed now, the commonest first.
   *
   * @throws PageNotFound when the viewer does not see the supplier, or the query has something else than a period
   * Source: choices C3, C9.
   */
  async show(viewer: Viewer, code: string, query: SentQuery): Promise<Failures> {
    const supplier = await this.suppliers.find(viewer, code);
    const period = periodOf(query);
    const filter = this.filterOf(supplier, period, undefined);
    const reader = await this.readers.of(organisationOf(viewer));
    return {
      ...{ supplier, period },
      refusals: shown(await reader.refusalCauses(filter)),
      others: await reader.refusalsOfOthers(filter),
      imports: shown(await failedImports(this.work, this.imports).listCauses(filter)),
      mayRetry: viewer.kind === 'operator',
      retried: retriedOf(query),
      run: viewer.kind === 'operator' ? await this.runs.find(code) : undefined,
      isBusy: query.busy !== undefined,
    };
  }

  /**
   * The accounts with failures of one cause, page by page in the order of their numbers.
   *
   * @throws PageNotFound also when there are no failures of this cause
   * Source: choices C3, C9.
   */
  async listAccounts(
    viewer: Viewer,
    { code, source: name, query }: WantedFailures,
  ): Promise<AccountsOfCause> {
    const supplier = await this.suppliers.find(viewer, code);
    const source = sourceOf(name);
    const period = periodOf(query);
    const cause = causeOf(source, query);
    const from = readOptionalSegment(query.from);
    if (cause === undefined) throw new PageNotFound();
    const filter = this.filterOf(supplier, period, cause);
    const failures = await this.sourceOf(viewer, source);
    const [shownCause] = shown(await failures.listCauses(filter)).causes;
    if (!shownCause) throw new PageNotFound();
    const found = await failures.listAccounts(filter, from ?? '', PAGE_ROWS + 1);
    return {
      ...{ supplier, source, period },
      cause: shownCause,
      accounts: found.slice(0, PAGE_ROWS),
      next: found[PAGE_ROWS]?.externalAccountNumber,
      isFirst: from === undefined,
      mayRetry: viewer.kind === 'operator' && source === 'imports',
    };
  }

  /**
   * The failures of one cause, or of all, as a CSV file in constant memory: each page of records is read when it is needed.
   * That it is downloaded is recorded first.
   *
   * @throws PageNotFound as {@link listAccounts}
   * Source: choices C3, C9.
   */
  async download(
    viewer: Viewer,
    { code, source: name, query }: WantedFailures,
  ): Promise<{ readonly fileName: string; readonly records: AsyncIterable<string> }> {
    const supplier = await this.suppliers.find(viewer, code);
    const source = sourceOf(name);
    const filter = this.filterOf(supplier, periodOf(query), causeOf(source, query));
    const failures = await this.sourceOf(viewer, source);
    await this.evidence.recordDownload('failures.download', viewer, code);
    return { fileName: failures.fileName, records: records(failures, filter) };
  }

  /**
   * Set failed accounts back to pending: one at once, or those of a cause in the background, however many they are.
   *
   * @returns what the page says about it, as parameters of its address
   * @throws PageNotFound when the viewer does not see the supplier
   * @throws NotAllowed to an admin, and when neither was named
   * Source: choices C3, C9.
   */
  async retry(
    viewer: Viewer,
    code: string,
    { cause, number }: FormFields,
  ): Promise<Readonly<Record<string, string>>> {
    await this.suppliers.find(viewer, code);
    if (viewer.kind !== 'operator') throw new NotAllowed();
    const { recordedAs: operator } = viewer;
    if (cause !== undefined) return (await this.runs.begin(code, cause, operator)) ? {} : { busy: 'yes' };
    if (number === undefined) throw new NotAllowed();
    const { pending } = await this.retries.retry(code, { numbers: [number] }, { operator });
    return { retried: String(pending) };
  }

  private filterOf({ id }: ViewedSupplier, period: Period, cause: string | undefined): FailureFilter {
    return { import_supplier_id: id, since: sinceOf(period, this.clock.now()), cause: cause ?? null };
  }

  private async sourceOf(viewer: Viewer, source: Source): Promise<FailureSource> {
    return source === 'refusals'
      ? refusedRequests(await this.readers.of(organisationOf(viewer)))
      : failedImports(this.work, this.imports);
  }
}

function shown(rows: readonly CauseRow[]): Causes {
  const { countOfAll: count = 0, causeCount = 0 } = rows[0] ?? {};
  return { causes: rows, count, causeCount };
}

async function* records(source: FailureSource, filter: FailureFilter): AsyncGenerator<string> {
  yield csvRecord(source.columns);
  for await (const page of inPages<FailureRecord>(RECORDS_MAX, (last) =>
    source.listRecords(filter, last, RECORDS_MAX),
  ))
    yield page.map((row) => csvRecord(source.columns.map((column) => row[column]))).join('');
}
