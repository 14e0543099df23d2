// Defines the query.
import '../../src/capabilities/totals/totals-check.queries.js';
import type { CheckedTotals } from '../../src/capabilities/totals/totals.types.js';
import { queries } from '../../src/infrastructure/database/query.js';
import type { TestDatabase } from './database.js';
import { idOf } from './suppliers.js';

/** The names of a supplier's totals that do not agree with the rows, by the comparison of "totals check". */
export async function miscounted({ sql }: Pick<TestDatabase, 'sql'>, code: string): Promise<string[]> {
  const compare = queries().find(({ name }) => name === 'accounts.compare_totals')!;
  const [row] = await sql<{ totals: CheckedTotals; rows: CheckedTotals }>(compare.text, [
    await idOf({ sql }, code),
  ]);
  const { totals, rows } = row!;
  return (Object.keys(rows) as (keyof CheckedTotals)[]).filter((name) => totals[name] !== rows[name]);
}
