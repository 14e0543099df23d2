import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was done with a supplier, newest first: its runs and changes among the entries of its accounts, of which there may be millions;
 * the end of a run; and views among those of all suppliers (choice C2).
 */
export class Activity1795997120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX audit_entry_supplier ON audit_entry (import_supplier, at, id)
 WHERE (external_account_number IS NULL OR details ->> 'run' IS NOT NULL) AND details ->> 'event' IS DISTINCT FROM 'ended';
CREATE INDEX audit_entry_run_ended ON audit_entry ((details ->> 'run')) WHERE details ->> 'event' = 'ended';
CREATE INDEX viewed_supplier ON viewed (import_supplier, at, id) WHERE import_supplier IS NOT NULL;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX audit_entry_supplier, audit_entry_run_ended, viewed_supplier');
  }
}
