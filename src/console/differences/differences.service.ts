import { Injectable } from '@nestjs/common';
import { csvRecord, type Cell } from '../../common/csv.js';
import { inPages } from '../../common/in-pages.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EvidenceService } from '../../evidence/evidence.service.js';
import { CONTROL_NAMES } from '../../totals/account-counts.queries.js';
import { DIFFERENCES, type Difference } from '../../totals/account-counts.types.js';
import { TotalsService } from '../../totals/totals.service.js';
import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type SentQuery } from '../common/parameters.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { partsOf } from './compared-totals.js';
import { ControlTotalsRepository } from './control-totals.repository.js';
import type { Differences, DifferingAccount } from './differences.types.js';

const PAGE_ROWS = 100;
/** Accounts of a file that are held in memory at a time. */
const ACCOUNTS_MAX = 1_000;

/** Which accounts differ from what they must hold. */
@Injectable()
export class DifferencesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly suppliers: ViewedSuppliersService,
    private readonly totals: TotalsService,
    private readonly repository: ControlTotalsRepository,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * A page of the accounts that differ, all or those of a state, in the order of their numbers, with what is found of each at present.
   *
   * @throws PageNotFound when the viewer does not see the supplier, or there is no such state
   * Source: choices C3, C10, V6.
   */
  async page(viewer: Viewer, code: string, query: SentQuery): Promise<Differences> {
    const supplier = await this.suppliers.find(viewer, code);
    const state = stateOf(query);
    const after = readOptionalSegment(query.after);
    const { id } = supplier;
    const { control } = await this.work.atSupplier(id, (at) =>
      at.single((tx) => this.totals.totalsOf(tx, id)),
    );
    const found = await this.list(id, state, after ?? '', PAGE_ROWS + 1);
    const accounts = found.slice(0, PAGE_ROWS);
    const next = found.length > PAGE_ROWS ? accounts.at(-1)?.externalAccountNumber : undefined;
    return { supplier, control, state, accounts, next, isFirst: after === undefined };
  }

  /**
   * The same accounts as a CSV file in constant memory. That it is downloaded is recorded first.
   *
   * @throws PageNotFound as {@link page}
   * Source: choices C3, C10.
   */
  async download(viewer: Viewer, code: string, query: SentQuery): Promise<AsyncIterable<string>> {
    const { id } = await this.suppliers.find(viewer, code);
    const state = stateOf(query);
    await this.evidence.recordDownload('accounts.download', viewer, code);
    return records(
      inPages<DifferingAccount>(ACCOUNTS_MAX, (last) =>
        this.list(id, state, last?.externalAccountNumber ?? '', ACCOUNTS_MAX),
      ),
    );
  }

  private list(
    id: number,
    state: Difference | undefined,
    after: string,
    countMax: number,
  ): Promise<DifferingAccount[]> {
    const states = state === undefined ? DIFFERENCES : [state];
    return this.work.atSupplier(id, (at) =>
      at.single((tx) => this.repository.listDiffering(tx, id, states, after, countMax)),
    );
  }
}

function stateOf({ state }: SentQuery): Difference | undefined {
  if (state === undefined) return undefined;
  const found = DIFFERENCES.find((known) => known === state);
  if (found === undefined) throw new PageNotFound();
  return found;
}

/** One record an account, with the parts that differ. */
async function* records(pages: AsyncIterable<readonly DifferingAccount[]>): AsyncGenerator<string> {
  const parts = CONTROL_NAMES.flatMap((name) => [`${name}_expected`, `${name}_found`, `${name}_difference`]);
  yield csvRecord(['external_account_number', 'state', ...parts]);
  for await (const page of pages) yield page.map((account) => csvRecord(cellsOf(account))).join('');
}

function cellsOf(account: DifferingAccount): Cell[] {
  const different = new Map(
    partsOf(account).flatMap((part) => (part.isDifferent ? [[part.part, part] as const] : [])),
  );
  return [
    account.externalAccountNumber,
    account.state,
    ...CONTROL_NAMES.flatMap((name) => {
      const { expected, found, difference } = different.get(name) ?? {};
      return [expected, found, difference].map(numberOf);
    }),
  ];
}

/** A number is no formula, whatever its sign; one that would lose digits stays a text. */
function numberOf(value: number | string | undefined): Cell {
  return typeof value === 'string' && Number(value).toFixed(2) === value && value.length <= 16
    ? Number(value)
    : value;
}
