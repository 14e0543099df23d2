import type { ComponentChildren, VNode } from 'preact';
import { formatHundredths } from '../../../infrastructure/text/money.js';
import { ITEMS } from '../../../ingest/kinds/items.js';
import { CONTROL_NAMES } from '../../../accounts/counts/account-counts.queries.js';
import {
  DIFFERENCE_NAMES,
  isWrong,
  type ControlState,
} from '../../../accounts/counts/account-counts.types.js';
import { formatCount, formatMoney } from '../common/format.js';
import type { Column } from '../layout/table.js';
import type { ComparedAccount } from './differences.types.js';

export type PartName = (typeof CONTROL_NAMES)[number];

/** A part of the control totals that has an expected value. Amounts are decimals with two places. */
interface ComparedPart {
  readonly part: PartName;
  readonly expected: number | string;
  readonly found: number | string;
  /** The found value minus the expected value; 0 when they agree. */
  readonly difference: number | string;
  readonly isDifferent: boolean;
}

/** The parts of an account's control totals that have an expected value, whether or not they differ. */
export function partsOf({ expected, found }: ComparedAccount): ComparedPart[] {
  return CONTROL_NAMES.flatMap((part): ComparedPart[] => {
    const [wanted, has] = [expected[part], found[part]];
    if (wanted === null) return [];
    const difference =
      typeof wanted === 'number' || typeof has === 'number'
        ? Number(has) - Number(wanted)
        : formatHundredths(hundredthsOf(has) - hundredthsOf(wanted));
    return [{ part, expected: wanted, found: has, difference, isDifferent: wanted !== has }];
  });
}

/** The parts in which an account differs, by their names. */
export function differentParts(account: ComparedAccount): ReadonlyMap<PartName, ComparedPart> {
  return new Map(partsOf(account).flatMap((part) => (part.isDifferent ? [[part.part, part]] : [])));
}

/** The parts that are an error: counts that are exceeded, and the amount of transactions that are all there. */
export function wrongParts(account: ComparedAccount): ComparedPart[] {
  const { expected, found } = account;
  const { transactions } = expected;
  const areAllThere = transactions === null ? found.transactions > 0 : found.transactions === transactions;
  return partsOf(account).filter(({ part, difference, isDifferent }) =>
    part === 'amount' ? isDifferent && areAllThere : Number(difference) > 0,
  );
}

/** @param amount a decimal with two places */
function hundredthsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** The name of a part on the pages. */
export function partLabel(part: PartName): string {
  return part === 'amount' ? 'Control sum' : ITEMS[part].label;
}

function formatTotal(value: number | string): string {
  return typeof value === 'number' ? formatCount(value) : formatMoney(value);
}

/** A difference with its sign. */
function shownDifference({ difference }: ComparedPart): string {
  const text = formatTotal(difference);
  return text.startsWith('-') ? text : `+${text}`;
}

/** The found value of a part, the expected value and the difference. */
export function comparison(part: ComparedPart): ComponentChildren {
  return (
    <>
      {formatTotal(part.found)} <span class="muted">of {formatTotal(part.expected)}</span>{' '}
      <strong>{shownDifference(part)}</strong>
    </>
  );
}

/** `Control sum -36.00: 662.90 stored, 698.90 expected` */
export function differenceText(part: ComparedPart): string {
  return `${partLabel(part.part)} ${shownDifference(part)}: ${formatTotal(part.found)} stored, ${formatTotal(part.expected)} expected`;
}

/** The result of comparing an account with its control totals. */
export function ControlStateText({ state }: { state: ControlState }): VNode {
  if (state === 'agrees') return <>Agrees</>;
  return isWrong(state) ? (
    <strong class="wrong">{DIFFERENCE_NAMES[state]}</strong>
  ) : (
    <>{DIFFERENCE_NAMES[state]}</>
  );
}

/** The columns of a table of parts. */
export const PART_COLUMNS: readonly Column<ComparedPart>[] = [
  { head: 'Total', cell: ({ part }) => partLabel(part) },
  { head: 'Expected', kind: 'number', cell: ({ expected }) => formatTotal(expected) },
  { head: 'Found', kind: 'number', cell: ({ found }) => formatTotal(found) },
  {
    head: 'Difference',
    kind: 'number',
    cell: (part) => (part.isDifferent ? <strong>{shownDifference(part)}</strong> : 'none'),
  },
];
