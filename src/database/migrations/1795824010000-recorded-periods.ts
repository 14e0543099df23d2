import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
ALTER TABLE audit_entry DISABLE TRIGGER refuse_change_of_audit_entry;
UPDATE audit_entry e
   SET details = jsonb_build_object('changed', to_jsonb(array_remove(ARRAY[
         CASE WHEN e.details #> '{from,open_statement_from}' IS DISTINCT FROM e.details #> '{to,open_statement_from}'
              THEN 'open_statement_from' END,
         CASE WHEN e.details #> '{from,open_statement_to}' IS DISTINCT FROM e.details #> '{to,open_statement_to}'
              THEN 'open_statement_to' END], NULL)))
 WHERE e.action = 'account.set_period';
ALTER TABLE audit_entry ENABLE TRIGGER refuse_change_of_audit_entry;
`;

/** The days of periods leave the record of changes, which stays when the customer is erased. They are not kept anywhere else. */
export class RecordedPeriods1795824010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
