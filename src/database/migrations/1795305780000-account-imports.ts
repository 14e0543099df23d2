import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- An odd factor maps the sequence one to one onto the numbers below 2^32, in a scattered order. The factor is below 2^31,
-- so that the product fits a bigint.
CREATE SEQUENCE service_account_serial AS bigint MINVALUE 0 MAXVALUE 4294967295 START 1 NO CYCLE;

CREATE FUNCTION next_service_account_number() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT 'A-' || upper(lpad(to_hex((nextval('service_account_serial') * 1640531527) % 4294967296), 8, '0'))
$$;

CREATE TABLE account_import (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  service_account_number text COLLATE "C",
  account_created_at timestamptz,
  open_statement_from date,
  open_statement_to date,
  account jsonb,
  staged_at timestamptz NOT NULL DEFAULT now(),
  failure text,
  failed_at timestamptz,
  PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT external_account_number_has_1_to_128_characters
    CHECK (char_length(external_account_number) BETWEEN 1 AND 128),
  CONSTRAINT status_is_known CHECK (status IN ('pending', 'imported', 'failed')),
  CONSTRAINT service_account_number_is_a_and_8_hex_digits CHECK (service_account_number ~ '^A-[0-9A-F]{8}$'),
  CONSTRAINT open_statement_period_does_not_end_before_it_starts CHECK (open_statement_from <= open_statement_to),
  CONSTRAINT service_account_number_if_and_only_if_imported
    CHECK ((status = 'imported') = (service_account_number IS NOT NULL)),
  CONSTRAINT account_created_at_if_and_only_if_imported
    CHECK ((status = 'imported') = (account_created_at IS NOT NULL)),
  CONSTRAINT imported_account_has_open_statement_from CHECK (status <> 'imported' OR open_statement_from IS NOT NULL),
  CONSTRAINT failure_if_and_only_if_failed CHECK ((status = 'failed') = (failure IS NOT NULL))
);
CREATE UNIQUE INDEX service_account_number_is_unique ON account_import (service_account_number)
  WHERE service_account_number IS NOT NULL;
CREATE INDEX account_import_pending ON account_import (import_supplier_id, external_account_number)
  WHERE status <> 'imported';
-- For the list of imported accounts, which would otherwise read every pending account of a supplier that has just started.
-- The condition means the same as status = 'imported' (see the constraint above). It is written differently so that only
-- the list uses this index: while few accounts are imported, the planner would prefer it to the primary key for the
-- lookup of one imported account, and keep that plan.
CREATE INDEX account_import_imported ON account_import (import_supplier_id, external_account_number)
  WHERE account_created_at IS NOT NULL;

-- Replaces a foreign key to import_supplier. It runs once a query instead of once a row, which halves the time of staging.
-- The row lock keeps the supplier from being deleted by a transaction that does not see the new rows yet.
CREATE FUNCTION require_import_supplier() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  supplier_id integer;
BEGIN
  FOR supplier_id IN SELECT DISTINCT import_supplier_id FROM added LOOP
    PERFORM FROM import_supplier s WHERE s.id = supplier_id FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'there is no import supplier %', supplier_id USING ERRCODE = 'foreign_key_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
CREATE TRIGGER require_import_supplier_on_insert AFTER INSERT ON account_import
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_import_supplier();

-- The other half of that foreign key.
CREATE FUNCTION refuse_deletion_of_supplier_with_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM account_import a WHERE a.import_supplier_id = OLD.id) THEN
    RAISE EXCEPTION 'import supplier % has accounts', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER refuse_deletion_of_supplier_with_accounts BEFORE DELETE ON import_supplier
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_supplier_with_accounts();

CREATE FUNCTION refuse_change_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'account % of import supplier % cannot be deleted or changed in this way',
    OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER refuse_deletion_of_imported_account BEFORE DELETE ON account_import
  FOR EACH ROW WHEN (OLD.status = 'imported') EXECUTE FUNCTION refuse_change_of_account();
CREATE TRIGGER refuse_change_of_supplier_or_imported_account BEFORE UPDATE ON account_import
  FOR EACH ROW WHEN (NEW.import_supplier_id <> OLD.import_supplier_id OR OLD.status = 'imported' AND (
    NEW.status <> 'imported'
    OR NEW.external_account_number <> OLD.external_account_number
    OR NEW.service_account_number <> OLD.service_account_number
  )) EXECUTE FUNCTION refuse_change_of_account();

-- A range of pending accounts, both ends included, that one importer works on until the lease expires.
CREATE TABLE import_lease (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  id uuid NOT NULL DEFAULT uuidv7(),
  first_number text COLLATE "C" NOT NULL,
  last_number text COLLATE "C" NOT NULL,
  held_by text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (import_supplier_id, id),
  CONSTRAINT first_number_is_not_after_last_number CHECK (first_number <= last_number)
);
`;

const DOWN = `
DROP TRIGGER refuse_deletion_of_supplier_with_accounts ON import_supplier;
DROP TABLE import_lease, account_import;
DROP FUNCTION require_import_supplier(), refuse_deletion_of_supplier_with_accounts(), refuse_change_of_account(),
              next_service_account_number();
DROP SEQUENCE service_account_serial;
`;

/** Account imports, from staging to the platform account, and the leases of the importers. */
export class AccountImports1795305780000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
