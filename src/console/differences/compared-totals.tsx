import { ITEMS } from '../../items/items.js';
import { CONTROL_NAMES } from '../../totals/account-counts.queries.js';
import { formatCount, formatMoney } from '../common/format.js';
import type { Column } from '../layout/table.js';
import type { ComparedAccount } from './differences.types.js';

/** A part of which something is expected. */
interface ComparedPart {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly isDifferent: boolean;
}

/** The parts of an account's control totals, those that differ and the others. */
export function partsOf({ expected, found }: ComparedAccount): ComparedPart[] {
  return CONTROL_NAMES.flatMap((part) => {
    const wanted = expected[part];
    if (wanted === null) return [];
    const name = part === 'amount' ? 'Sum of the transactions' : ITEMS[part].label;
    return [
      { name, expected: shown(wanted), found: shown(found[part]), isDifferent: wanted !== found[part] },
    ];
  });
}

function shown(value: number | string): string {
  return typeof value === 'number' ? formatCount(value) : formatMoney(value);
}

/** What a table says of a part. */
export const PART_COLUMNS: readonly Column<ComparedPart>[] = [
  { head: 'Of', cell: ({ name }) => name },
  { head: 'Expected', kind: 'number', cell: ({ expected }) => expected },
  {
    head: 'Found',
    kind: 'number',
    cell: ({ found, isDifferent }) => (isDifferent ? <strong>{found}</strong> : found),
  },
  { head: 'Result', cell: ({ isDifferent }) => (isDifferent ? 'differs' : 'agrees') },
];
