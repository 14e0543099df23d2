import { Injectable } from '@nestjs/common';
import type { Cell } from '../common/csv.js';
import { run } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { EvidenceService } from '../../../infrastructure/audit/evidence/evidence.service.js';
import { CONTROL_NAMES } from '../../../accounts/counts/account-counts.queries.js';
import { DIFFERENCES, type Difference } from '../../../accounts/counts/account-counts.types.js';
import { TotalsService } from '../../../capabilities/totals/totals.service.js';
import { csvFile, type CsvFile } from '../common/csv-answer.js';
import { numberedPage } from '../common/numbered-page.js';
import { PageNotFound } from '../common/page-errors.js';
import type { SentQuery } from '../common/parameters.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { partsOf } from './compared-totals.js';
import { DIFFERING } from './control-totals.queries.js';
import type { Differences, DifferingAccount } from './differences.types.js';

@Injectable()
export class DifferencesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly totals: TotalsService,
    private readonly evidence: EvidenceService,
  ) {}

  /**
   * A page of the accounts that differ, all or those of one state, in the order of their numbers, with their current
   * values.
   *
   * @throws PageNotFound when there is no such state
   * Source: choices C3, C10, V6.
   */
  async page(request: SupplierRequest): Promise<Differences> {
    const { id } = request.supplier;
    const state = stateOf(request.query);
    const { control } = await this.work.atSupplier(id, (work) =>
      work.query((tx) => this.totals.totalsOf(tx, id)),
    );
    const accounts = await numberedPage(request.query, (after = '', countMax) =>
      this.list(id, state, after, countMax),
    );
    return { ...request, control, state, accounts };
  }

  /**
   * The same accounts as a CSV file in constant memory. The download is recorded first.
   *
   * @throws PageNotFound as {@link page}
   * Source: choices C3, C10.
   */
  async download({ user, supplier: { id, code }, query }: SupplierRequest): Promise<CsvFile> {
    const state = stateOf(query);
    await this.evidence.recordDownload('accounts.download', user, code);
    return csvFile<DifferingAccount>('differences.csv', COLUMNS, cellsOf, (last, countMax) =>
      this.list(id, state, last?.externalAccountNumber ?? '', countMax),
    );
  }

  private list(
    id: number,
    state: Difference | undefined,
    after: string,
    countMax: number,
  ): Promise<DifferingAccount[]> {
    const states = state === undefined ? DIFFERENCES : [state];
    return this.work.atSupplier(id, (node) =>
      node.query((tx) => run(tx, DIFFERING, { import_supplier_id: id, states, after, count_max: countMax })),
    );
  }
}

function stateOf({ state }: SentQuery): Difference | undefined {
  if (state === undefined) return undefined;
  const found = DIFFERENCES.find((known) => known === state);
  if (found === undefined) throw new PageNotFound();
  return found;
}

const COLUMNS = [
  'external_account_number',
  'state',
  ...CONTROL_NAMES.flatMap((name) => [`${name}_expected`, `${name}_found`, `${name}_difference`]),
];

/** Only the parts that differ have values. */
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

/** A number is not a formula, whatever its sign. A number that would lose digits stays a string. */
function numberOf(value: number | string | undefined): Cell {
  return typeof value === 'string' && Number(value).toFixed(2) === value && value.length <= 16
    ? Number(value)
    : value;
}
