import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Ask for the accounts of new rows in one query instead of one an account: nearly every statement stores rows of one
 * account only, and the second query was half of what the question costs.
 */
export class ImportedAccountAtOnce1763700800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION require_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        orphan record;
      BEGIN
        SELECT owner.* INTO orphan
          FROM (SELECT DISTINCT import_supplier_id, external_account_number FROM added) AS owner
         WHERE (SELECT 1
                  FROM account_import a
                 WHERE a.import_supplier_id = owner.import_supplier_id
                   AND a.external_account_number = owner.external_account_number
                   AND a.status = 'imported'
                 LIMIT 1) IS NULL
         LIMIT 1;
        IF FOUND THEN
          RAISE EXCEPTION 'there is no imported account % of import supplier %',
            orphan.external_account_number, orphan.import_supplier_id USING ERRCODE = 'foreign_key_violation';
        END IF;
        RETURN NULL;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION require_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        owner record;
      BEGIN
        FOR owner IN SELECT DISTINCT import_supplier_id, external_account_number FROM added LOOP
          PERFORM FROM account_import a
            WHERE a.import_supplier_id = owner.import_supplier_id
              AND a.external_account_number = owner.external_account_number
              AND a.status = 'imported';
          IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no imported account % of import supplier %',
              owner.external_account_number, owner.import_supplier_id USING ERRCODE = 'foreign_key_violation';
          END IF;
        END LOOP;
        RETURN NULL;
      END $$`);
  }
}
