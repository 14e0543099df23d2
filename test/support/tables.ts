import type { TestDatabase } from './database.js';

/**
 * Tables that belong to no supplier and stay small whatever is imported, each with the reason. The keys of every other table
 * begin with the supplier.
 */
export const SMALL: Readonly<Record<string, string>> = {
  organisation: 'one row for each caller',
  api_key: 'a few rows for each caller',
  platform_key: 'a few rows for the platform',
  supplier_run: 'a few rows for each supplier',
  rate_limit: 'one row for each busy address, removed when its limit is fully available again',
  import_supplier: 'one row for each supplier',
  console_sign_in_code: 'a few rows for each operator, removed a day after their end',
  console_session: 'a few rows for each viewer, removed a day after their end',
  migration: 'one row for each migration',
  database_place: 'one row',
  catalogue_value: 'a list kept by the operator',
  audit_entry: 'one row for each change by an operator',
  viewed: 'one row for each hour in which a person looks at an account',
};

/** Tables with a supplier in their keys that stay small, each with the reason. */
export const SMALL_OF_A_SUPPLIER: Readonly<Record<string, string>> = {
  import_lease: 'one row for each importer that is at work',
  erasure: 'one row for each erasure under way',
  account_erasure: 'at most 500 rows for each erasure under way',
  import_supplier_grant: 'one row for each organisation that may see the supplier',
  supplier_change: 'the changes of a few seconds',
  supplier_total: 'one row for each supplier',
  supplier_minute: 'one row for each minute of the last day and each hour of the last week',
  feed: 'one row for each supplier',
  feed_epoch: 'one row for each fail-over or restore',
  feed_reader: 'one row for each reader',
};

/** TypeORM's own table. */
const FOREIGN = 'typeorm_metadata';

/** The tables that grow with the accounts: all except those listed as small. */
export async function growingTables({ sql }: TestDatabase): Promise<string[]> {
  const tables = await sql<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  return tables
    .map(({ name }) => name)
    .filter((name) => !(name in SMALL) && !(name in SMALL_OF_A_SUPPLIER) && name !== FOREIGN);
}
