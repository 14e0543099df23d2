import type { VNode } from 'preact';
import type { ControlTotals } from '../../totals/account-counts.types.js';
import { formatCount, formatMoney } from '../common/format.js';
import type { ComparedAccount } from './differences.types.js';

/** The parts of control totals in the order of the pages, and how these call them. */
const PARTS: readonly (readonly [keyof ControlTotals, string])[] = [
  ['notes', 'Notes'],
  ['transactions', 'Transactions'],
  ['amount', 'Sum of the transactions'],
  ['statements', 'Statements'],
  ['payment_instructions', 'Payment instructions'],
];

/** A part of which something is expected. */
interface ComparedPart {
  readonly name: string;
  readonly expected: string;
  readonly found: string;
  readonly isDifferent: boolean;
}

/** The parts of an account's control totals, those that differ and the others. */
export function partsOf({ expected, found }: ComparedAccount): ComparedPart[] {
  return PARTS.flatMap(([part, name]) => {
    const wanted = expected[part];
    if (wanted === null) return [];
    return [
      { name, expected: shown(wanted), found: shown(found[part]), isDifferent: wanted !== found[part] },
    ];
  });
}

function shown(value: number | string): string {
  return typeof value === 'number' ? formatCount(value) : formatMoney(value);
}

/** The cells of a part, after those that name it. */
export function PartCells({ part }: { part: ComparedPart }): VNode {
  return (
    <>
      <td>{part.name}</td>
      <td class="number">{part.expected}</td>
      <td class="number">{part.isDifferent ? <strong>{part.found}</strong> : part.found}</td>
      <td>{part.isDifferent ? 'differs' : 'agrees'}</td>
    </>
  );
}

/** The heads of {@link PartCells}. */
export function PartHeads(): VNode {
  return (
    <>
      <th scope="col">Of</th>
      <th scope="col" class="number">
        Expected
      </th>
      <th scope="col" class="number">
        Found
      </th>
      <th scope="col">Result</th>
    </>
  );
}
