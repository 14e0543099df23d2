import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Account imports: what was staged, and the platform account once there is one. */
export class AccountImports1763700200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The number of the account runs through all 2^32 values in a scattered order before any comes twice: an odd factor
    // below 2^31 maps the sequence one to one, and the product stays within a bigint.
    await runner.query(
      `CREATE SEQUENCE service_account_serial AS bigint MINVALUE 0 MAXVALUE 4294967295 START 1 NO CYCLE`,
    );
    await runner.query(`
      CREATE FUNCTION next_service_account_number() RETURNS text LANGUAGE sql VOLATILE AS $$
        SELECT 'A-' || upper(lpad(to_hex((nextval('service_account_serial') * 1640531527) % 4294967296), 8, '0'))
      $$`);
    await runner.query(`
      CREATE TABLE account_import (
        import_supplier_id integer NOT NULL,
        external_account_number text COLLATE "C" NOT NULL
          CHECK (char_length(external_account_number) BETWEEN 1 AND 128),
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'imported', 'failed')),
        service_account_number text COLLATE "C" CHECK (service_account_number ~ '^A-[0-9A-F]{8}$'),
        account_created_at timestamptz,
        open_statement_from date,
        open_statement_to date CHECK (open_statement_from <= open_statement_to),
        account jsonb,
        staged_at timestamptz NOT NULL DEFAULT now(),
        failure text,
        failed_at timestamptz,
        PRIMARY KEY (import_supplier_id, external_account_number),
        CHECK ((status = 'imported') = (service_account_number IS NOT NULL)),
        CHECK ((status = 'imported') = (account_created_at IS NOT NULL)),
        CHECK (status <> 'imported' OR open_statement_from IS NOT NULL),
        CHECK ((status = 'failed') = (failure IS NOT NULL))
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX account_import_service_account_number ON account_import (service_account_number)
        WHERE service_account_number IS NOT NULL`);
    await runner.query(`
      CREATE INDEX account_import_pending ON account_import (import_supplier_id, external_account_number)
        WHERE status <> 'imported'`);
    await runner.query(`
      -- Stands in for a foreign key to the supplier: asked once a statement instead of once a row, it halves the time of
      -- staging. The lock keeps the supplier until the rows are there for whoever wants to delete it to see.
      CREATE FUNCTION require_import_supplier() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        owner integer;
      BEGIN
        FOR owner IN SELECT DISTINCT import_supplier_id FROM added LOOP
          PERFORM FROM import_supplier s WHERE s.id = owner FOR KEY SHARE;
          IF NOT FOUND THEN
            RAISE EXCEPTION 'there is no import supplier %', owner USING ERRCODE = 'foreign_key_violation';
          END IF;
        END LOOP;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER import_supplier_on_insert AFTER INSERT ON account_import
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_import_supplier()`);
    await runner.query(`
      CREATE FUNCTION keep_import_supplier() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM account_import a WHERE a.import_supplier_id = OLD.id) THEN
          RAISE EXCEPTION 'the import supplier % has accounts', OLD.id USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER no_deletion BEFORE DELETE ON import_supplier
        FOR EACH ROW EXECUTE FUNCTION keep_import_supplier()`);
    await runner.query(`
      CREATE FUNCTION keep_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the imported account % of import supplier % must stay as it is',
          OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER no_deletion BEFORE DELETE ON account_import
        FOR EACH ROW WHEN (OLD.status = 'imported') EXECUTE FUNCTION keep_imported_account()`);
    await runner.query(`
      CREATE TRIGGER no_return BEFORE UPDATE ON account_import
        FOR EACH ROW WHEN (NEW.import_supplier_id <> OLD.import_supplier_id OR OLD.status = 'imported' AND (
          NEW.status <> 'imported'
          OR NEW.external_account_number <> OLD.external_account_number
          OR NEW.service_account_number <> OLD.service_account_number
        )) EXECUTE FUNCTION keep_imported_account()`);
    await runner.query(`
      -- Whatever is loaded belongs to an imported account. A foreign key would ask once a row; this asks once an
      -- account, and wants the account imported besides. No lock is needed, for an imported account cannot go.
      CREATE FUNCTION require_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
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
    await runner.query(`
      -- A stretch of pending accounts that somebody is importing, both ends included, until it expires.
      CREATE TABLE import_lease (
        import_supplier_id integer NOT NULL REFERENCES import_supplier,
        id uuid NOT NULL DEFAULT uuidv7(),
        first_number text COLLATE "C" NOT NULL,
        last_number text COLLATE "C" NOT NULL CHECK (first_number <= last_number),
        held_by text NOT NULL,
        expires_at timestamptz NOT NULL,
        PRIMARY KEY (import_supplier_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER no_deletion ON import_supplier`);
    await runner.query(`DROP TABLE import_lease, account_import`);
    await runner.query(`DROP FUNCTION require_import_supplier(), keep_import_supplier()`);
    await runner.query(`DROP FUNCTION require_imported_account(), keep_imported_account()`);
    await runner.query(`DROP FUNCTION next_service_account_number()`);
    await runner.query(`DROP SEQUENCE service_account_serial`);
  }
}
