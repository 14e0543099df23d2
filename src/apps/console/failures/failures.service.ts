import { Injectable } from '@nestjs/common';
import { AccountListsService } from '../../../accounts/lists/account-lists.service.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import type { Cell } from '../common/csv.js';
import { query, run } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { failureCause } from '../../../accounts/importing/failure-cause.js';
import { RetryService } from '../../../accounts/importing/retry.service.js';
import {
  CAUSES_MAX,
  countCauses,
  type CountedCause,
} from '../../../capabilities/request-log/requests/counted-causes.js';
import {
  NOT_IMPORTED,
  type RefusalCause,
  type RefusalFilter,
  type RefusalRecord,
} from '../../../capabilities/request-log/requests/refusals.types.js';
import { RequestReadersService } from '../../../capabilities/request-log/requests/request-readers.service.js';
import { ANOTHER_ORGANISATION } from '../common/another-organisation.js';
import { csvFile, type CsvFile } from '../common/csv-answer.js';
import { pageAfter } from '../common/page-after.js';
import { NotAllowed, PageNotFound } from '../common/page-errors.js';
import type { FormFields } from '../common/parameters.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { causeOf, periodOf, sourceOf, stepsOf } from './failures-query.js';
import {
  PREVIEWED_MAX,
  STATES_MAX,
  type Cause,
  type Failures,
  type RetryQuestion,
  type SharedCause,
  type ShownCause,
} from './failures.types.js';

/** The most accounts that a page shows as examples. */
const SAMPLES_MAX = 5;

/**
 * The causes of the accounts whose import failed, the most frequent first. If one cause is requested, all causes are counted and
 * then filtered: finding the failures of one cause requires working out the cause of each failure anyway.
 */
const CAUSES = query<CountedCause>(
  'console.failure_groups',
  `SELECT c.*
     FROM (${countCauses(
       'failure',
       failureCause('t'),
       'failed_at',
       `{account_import a}
              WHERE a.import_supplier_id = :import_supplier_id AND a.status = 'failed'`,
       ':cause::text IS NULL OR u.cause = :cause',
     )}) AS c
    ORDER BY c.count DESC, c."lastAt" DESC, c.cause`,
);

/** The failures of a supplier, grouped by cause. */
@Injectable()
export class FailuresService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly readers: RequestReadersService,
    private readonly lists: AccountListsService,
    private readonly retries: RetryService,
    private readonly clock: Clock,
    private readonly evidence: EvidenceService,
    private readonly viewed: ViewedSuppliersService,
  ) {}

  /**
   * The causes of the requests that were refused in a period, and of the accounts that are currently failed, the most
   * frequent first.
   *
   * @throws PageNotFound for an unknown period
   * Source: choices C3, C9.
   */
  async show(request: SupplierRequest): Promise<Failures> {
    const { user, supplier } = request;
    const period = periodOf(request.query);
    const reader = await this.readers.of(organisationOf(user));
    const steps = stepsOf(period, this.clock.now());
    const filter = filterOf(supplier, steps);
    const refusals = await reader.refusalCauses(filter, steps);
    const imports = await this.importCauses(supplier, steps);
    return {
      ...{ ...request, period },
      causes: mostCommon([...refusals.map(causeOfRefusals), ...imports]),
      causeCount: (refusals[0]?.causeCount ?? 0) + (imports[0]?.causeCount ?? 0),
      counts: { refusals: refusals[0]?.countOfAll ?? 0, imports: imports[0]?.countOfAll ?? 0 },
      others: await reader.refusalsOfOthers(filter),
      run: user.kind !== 'admin' ? await this.retries.findRun(supplier.code) : undefined,
    };
  }

  /**
   * The causes of the failures of the last 30 days at all suppliers that are not archived, the most frequent first. Each supplier
   * keeps a limited number of refusals, and each gives its most frequent causes.
   *
   * Source: choices C2, C3, C9.
   */
  async everywhere(user: SignedInUser): Promise<SharedCause[]> {
    const reader = await this.readers.of(organisationOf(user));
    const steps = stepsOf('30-days', this.clock.now());
    const shared = new Map<string, SharedCause>();
    for (const supplier of await this.viewed.list(user)) {
      if (supplier.archivedAt) continue;
      const refusals = await reader.refusalCauses(filterOf(supplier, steps), steps);
      const imports = await this.importCauses(supplier, steps);
      for (const cause of [...refusals.map(causeOfRefusals), ...imports]) {
        const key = `${cause.source} ${cause.cause}`;
        shared.set(key, withSupplier(shared.get(key), cause, supplier.code));
      }
    }
    return mostCommon([...shared.values()]);
  }

  /**
   * One cause, with examples. For refused requests it also has the accounts, page by page in the order of their numbers.
   *
   * @throws PageNotFound also when there are no failures with this cause
   * Source: choices C3, C9.
   */
  async showCause(request: SupplierRequest): Promise<ShownCause> {
    const { user, supplier, query } = request;
    const period = periodOf(query);
    const source = sourceOf(query);
    const cause = causeOf(source, query);
    if (cause === undefined) throw new PageNotFound();
    const page = { ...request, period };
    const steps = stepsOf(period, this.clock.now());
    if (source === 'imports') {
      const [found] = await this.importCauses(supplier, steps, cause);
      if (!found) throw new PageNotFound();
      const failed = await this.lists.page(supplier.id, { cause }, '', SAMPLES_MAX);
      return { ...page, cause: found, failed };
    }
    const reader = await this.readers.of(organisationOf(user));
    const filter = filterOf(supplier, steps, cause);
    const [found] = await reader.refusalCauses(filter, steps);
    if (!found) throw new PageNotFound();
    const accounts = await pageAfter(
      query,
      // The list begins at a number: at the smallest one that follows `after` in byte order, or at the empty number, which a request
      // without an account number has.
      (after, countMax) =>
        reader.refusedAccounts(filter, after === undefined ? '' : `${after}\u0001`, countMax),
      ({ externalAccountNumber }) => externalAccountNumber,
    );
    const states =
      found.cause === NOT_IMPORTED ? await reader.refusedAccountStates(filter, STATES_MAX) : undefined;
    const examples = await reader.refusalExamples(filter);
    const refusal = { ...found.refusal, values: examples.values };
    return {
      ...{ ...page, cause: causeOfRefusals({ ...found, refusal }), failed: [] },
      refused: { examples, accounts, states },
    };
  }

  /**
   * The refused requests of one cause, or of all, as a CSV file. The download is recorded first.
   *
   * @throws PageNotFound as {@link showCause}
   * Source: choices C3, C9.
   */
  async download({ user, supplier, query }: SupplierRequest): Promise<CsvFile> {
    const filter = filterOf(supplier, stepsOf(periodOf(query), this.clock.now()), causeOf('refusals', query));
    const reader = await this.readers.of(organisationOf(user));
    await this.evidence.recordDownload('failures.download', user, supplier.code);
    return csvFile<RefusalRecord>('rejected-requests.csv', COLUMNS, cellsOf, (last, countMax) =>
      reader.refusalRecords(filter, last, countMax),
    );
  }

  /**
   * The question for an operator before the accounts of a cause are retried.
   *
   * @throws PageNotFound when nothing has failed for this cause
   * Source: choices C3, C9.
   */
  async askToRetry({ supplier, query }: SupplierRequest): Promise<RetryQuestion> {
    const cause = causeOf('imports', query);
    const [found] =
      cause === undefined
        ? []
        : await this.importCauses(supplier, stepsOf('30-days', this.clock.now()), cause);
    if (cause === undefined || !found) throw new PageNotFound();
    const preview = await this.retries.preview(supplier.id, cause, PREVIEWED_MAX);
    return { supplier, accounts: found.count, preview, cause };
  }

  /**
   * Set the failed accounts of a cause back to pending, in the background, however many there are.
   *
   * @throws NotAllowed when no cause was named
   * @throws CommandError while another retry for the supplier is running
   * Source: choices C3, C9.
   */
  async retry({ user, supplier }: SupplierRequest, { cause }: FormFields): Promise<void> {
    if (cause === undefined) throw new NotAllowed();
    if (!(await this.retries.begin(supplier.code, cause, user.recordedAs)))
      throw new CommandError('retry_running', 'Nothing was started: another retry is already running.');
  }

  private async importCauses(
    { id }: ViewedSupplier,
    steps: readonly Date[],
    cause: string | null = null,
  ): Promise<Cause[]> {
    const found = await this.work.query((tx) => run(tx, CAUSES, { import_supplier_id: id, cause, steps }));
    return found.map((row) => ({ ...row, source: 'imports', refusal: null }));
  }
}

function mostCommon<Counted extends { readonly count: number }>(causes: readonly Counted[]): Counted[] {
  return causes.toSorted((one, other) => other.count - one.count).slice(0, CAUSES_MAX);
}

function withSupplier(known: SharedCause | undefined, cause: Cause, code: string): SharedCause {
  const { count, lastAt } = cause;
  const suppliers = [...(known?.suppliers ?? []), { code, count }];
  const isLater = lastAt && (!known?.lastAt || lastAt > known.lastAt);
  return {
    cause,
    count: (known?.count ?? 0) + count,
    lastAt: isLater ? lastAt : (known?.lastAt ?? null),
    suppliers: mostCommon(suppliers),
  };
}

function filterOf(
  { id }: ViewedSupplier,
  [since = new Date(0)]: readonly Date[],
  cause?: string,
): RefusalFilter {
  return { import_supplier_id: id, since, cause: cause ?? null };
}

function causeOfRefusals(row: RefusalCause): Cause {
  return { ...row, source: 'refusals' };
}

const DETAILS = ['code', 'field_code', 'attr', 'value', 'dry_run', 'external_account_number'];
const COLUMNS = ['at', 'kind', 'status', ...DETAILS, 'request_id'];

function cellsOf({ at, kind, status, details }: RefusalRecord): Cell[] {
  return [
    ...[at, kind, status],
    ...DETAILS.map((name) => details?.[name]),
    details ? details.request_id : ANOTHER_ORGANISATION,
  ];
}
