import type { QueryRunner } from 'typeorm';

/**
 * Tie a table of loaded rows to imported accounts, by the trigger function of the account imports' migration. It stands
 * in for a foreign key, which would ask once a row instead of once an account.
 *
 * @param table with the columns import_supplier_id and external_account_number
 */
export async function tieToImportedAccount(runner: QueryRunner, table: string): Promise<void> {
  for (const event of ['INSERT', 'UPDATE']) {
    await runner.query(`
      CREATE TRIGGER imported_account_on_${event.toLowerCase()} AFTER ${event} ON ${table}
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account()`);
  }
}
