import { formatHundredths } from '../../common/money.js';
import type { ControlTotals } from '../../totals/control.types.js';
import type { AccountContent } from '../contents.types.js';

/**
 * Whether what an account holds differs from what it must hold.
 *
 * @param control its amount as PostgreSQL writes a decimal with two places
 * Source: choice V6.
 */
export function isDifferent(control: ControlTotals, { sections, amounts }: AccountContent): boolean {
  const found: { readonly [Name in keyof ControlTotals]: NonNullable<ControlTotals[Name]> } = {
    notes: sections.notes.count,
    transactions: sections.transactions.count,
    amount: formatHundredths([...amounts.values()].reduce((sum, amount) => sum + amount, 0n)),
    statements: sections.historical_statements.count,
    payment_instructions: sections.payment_instructions.count,
  };
  return Object.entries(found).some(([name, value]) => {
    const expected = control[name as keyof ControlTotals];
    return expected !== null && expected !== value;
  });
}
