import { TotalsService } from '../../src/capabilities/totals/totals.service.js';
import type { TestDatabase } from './database.js';
import type { TestService, World } from './service.js';

type Queried = Pick<TestDatabase, 'sql'>;

/** The id of a supplier. */
export async function idOf({ sql }: Queried, code: string): Promise<number> {
  const [row] = await sql<{ id: number }>('SELECT id FROM import_supplier WHERE code = $1', [code]);
  return row!.id;
}

/** The status of a supplier. */
export async function statusOf({ sql }: Queried, { supplier }: Pick<World, 'supplier'>): Promise<string> {
  const rows = await sql<{ status: string }>('SELECT status FROM import_supplier WHERE code = $1', [
    supplier,
  ]);
  return rows[0]!.status;
}

/** The name of an organisation. */
export async function nameOf(
  { sql }: Queried,
  { organisationId }: Pick<World, 'organisationId'>,
): Promise<string> {
  const [row] = await sql<{ name: string }>('SELECT name FROM organisation WHERE id = $1', [organisationId]);
  return row!.name;
}

/** Carry pending changes over into the totals of a supplier. */
export async function carryOver(
  { app, database }: Pick<TestService, 'app' | 'database'>,
  { supplier }: Pick<World, 'supplier'>,
): Promise<void> {
  await app.get(TotalsService, { strict: false }).carryOver(await idOf(database, supplier));
}
