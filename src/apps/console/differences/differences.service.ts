import { Injectable } from '@nestjs/common';
import { CONTROL_NAMES } from '../../../accounts/counts/account-counts.queries.js';
import {
  DIFFERENCES,
  type ControlCounts,
  type Difference,
} from '../../../accounts/counts/account-counts.types.js';
import { TotalsService } from '../../../capabilities/totals/totals.service.js';
import { run } from '../../../infrastructure/database/query.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import type { Cell } from '../common/csv.js';
import { readChoice } from '../common/parameters.js';
import type { ListFile, SupplierList } from '../layout/list.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { differentParts } from './compared-totals.js';
import { DIFFERING } from './control-totals.queries.js';
import type { DifferingAccount } from './differences.types.js';

/** How the listed accounts differ; undefined for all that do. */
type Filter = Difference | undefined;

/** The accounts of a supplier that differ from their control totals, in the order of their numbers (choices C10, V6). */
@Injectable()
export class DifferencesService implements SupplierList<DifferingAccount, Filter> {
  readonly file: ListFile<DifferingAccount> = {
    name: 'differences.csv',
    recordedAs: 'accounts.download',
    columns: [
      ...['external_account_number', 'state'],
      ...CONTROL_NAMES.flatMap((name) => [`${name}_expected`, `${name}_found`, `${name}_difference`]),
    ],
    cellsOf,
  };

  constructor(
    private readonly work: UnitOfWork,
    private readonly totals: TotalsService,
  ) {}

  filterOf({ query }: SupplierRequest): Filter {
    return readChoice(DIFFERENCES, query.state);
  }

  read(
    { supplier }: SupplierRequest,
    state: Filter,
    after = '',
    countMax: number,
  ): Promise<readonly DifferingAccount[]> {
    const states = state === undefined ? DIFFERENCES : [state];
    const wanted = { import_supplier_id: supplier.id, states, after, count_max: countMax };
    return this.work.queryAt(supplier.id, (tx) => run(tx, DIFFERING, wanted));
  }

  positionOf({ externalAccountNumber }: DifferingAccount): string {
    return externalAccountNumber;
  }

  /** How many accounts differ, by the last comparison. */
  async control({ supplier: { id } }: SupplierRequest): Promise<ControlCounts> {
    return (await this.work.queryAt(id, (tx) => this.totals.totalsOf(tx, id))).control;
  }
}

/** Only the parts that differ have values. */
function cellsOf(account: DifferingAccount): Cell[] {
  const different = differentParts(account);
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
