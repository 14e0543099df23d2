import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of the items, whose rows belong to an imported account. */
const ITEM_TABLES = ['note', 'transaction', 'statement', 'payment_instruction'];

const ERASURE = `
-- The erasures under way, each with what it has removed so far. The audit entries are the record that stays.
CREATE TABLE erasure (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- Null for the erasure of all accounts of the supplier.
  external_account_number text COLLATE "C",
  reason text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- The run of the command that carries it out. A later run takes it over, and the earlier one stops.
  run_id uuid NOT NULL,
  accounts bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0,
  transactions bigint NOT NULL DEFAULT 0,
  statements bigint NOT NULL DEFAULT 0,
  payment_instructions bigint NOT NULL DEFAULT 0,
  import_requests bigint NOT NULL DEFAULT 0,
  refusals bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (import_supplier_id, id),
  CONSTRAINT reason_is_not_empty CHECK (reason <> '')
);
CREATE UNIQUE INDEX erasure_of_an_account_is_unique ON erasure (import_supplier_id, external_account_number)
  NULLS NOT DISTINCT;

-- An account that is gone and whose rows are being removed.
CREATE TABLE account_erasure (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  erasure_id uuid NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT erasure_exists FOREIGN KEY (import_supplier_id, erasure_id) REFERENCES erasure
);

-- An imported account is deleted only by its erasure, which removes its rows afterwards.
CREATE FUNCTION refuse_deletion_of_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM account_erasure e
     WHERE e.import_supplier_id = OLD.import_supplier_id AND e.external_account_number = OLD.external_account_number
  ) THEN
    RAISE EXCEPTION 'account % of import supplier % can only be erased',
      OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
DROP TRIGGER refuse_deletion_of_imported_account ON account_import;
CREATE TRIGGER refuse_deletion_of_imported_account BEFORE DELETE ON account_import
  FOR EACH ROW WHEN (OLD.status = 'imported') EXECUTE FUNCTION refuse_deletion_of_imported_account();

-- The number of an account can be staged again when all rows of the erased account are gone.
CREATE FUNCTION refuse_account_under_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refused record;
BEGIN
  -- Nearly always there is none, and the new accounts are not read.
  IF NOT EXISTS (SELECT FROM account_erasure) THEN
    RETURN NULL;
  END IF;
  SELECT e.* INTO refused
    FROM account_erasure e
   WHERE (e.import_supplier_id, e.external_account_number) IN
         (SELECT a.import_supplier_id, a.external_account_number FROM added a)
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'account % of import supplier % is being erased',
      refused.external_account_number, refused.import_supplier_id USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER refuse_account_under_erasure AFTER INSERT ON account_import
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_account_under_erasure();

-- An erasure leaves no row without an account.
CREATE FUNCTION refuse_end_of_erasure_with_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF ${['account_import', 'import_request', ...ITEM_TABLES].map(hasRow).join('\n     OR ')} THEN
    RAISE EXCEPTION 'account % of import supplier % still has rows',
      OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER refuse_end_of_erasure_with_rows BEFORE DELETE ON account_erasure
  FOR EACH ROW EXECUTE FUNCTION refuse_end_of_erasure_with_rows();
`;

const REQUIRE_IMPORTED_ACCOUNT = `
-- Replaces a foreign key to account_import and also requires that the account is imported. It runs once a query instead
-- of once a row. One query looks up all accounts: nearly every insert is for a single account, and a loop doubled the time.
--
-- No lock is needed. A query locks the tables it writes before it looks for the account, and an erasure, once the account is
-- deleted, removes its last rows only after all transactions that held such a lock have ended. Until then account_erasure
-- has the account, so a query that saw it before is told from one that is wrong, and is repeated by the service.
--
-- An update that leaves a row on its account is not checked: the row may belong to an account that is being erased.
CREATE OR REPLACE FUNCTION require_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  missing record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT account.* INTO missing
      FROM (SELECT DISTINCT import_supplier_id, external_account_number FROM added) AS account
     WHERE ${isNotImported('account')}
     LIMIT 1;
  ELSE
    SELECT account.* INTO missing
      FROM (SELECT import_supplier_id, external_account_number FROM added
            EXCEPT
            SELECT import_supplier_id, external_account_number FROM removed) AS account
     WHERE ${isNotImported('account')}
     LIMIT 1;
  END IF;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF EXISTS (
    SELECT FROM account_erasure e
     WHERE e.import_supplier_id = missing.import_supplier_id
       AND e.external_account_number = missing.external_account_number
  ) THEN
    RAISE EXCEPTION 'account % of import supplier % is being erased',
      missing.external_account_number, missing.import_supplier_id USING ERRCODE = 'serialization_failure';
  END IF;
  RAISE EXCEPTION 'there is no imported account % of import supplier %',
    missing.external_account_number, missing.import_supplier_id USING ERRCODE = 'foreign_key_violation';
END $$;
${ITEM_TABLES.map((table) => updateTrigger(table, 'OLD TABLE AS removed NEW TABLE AS added')).join('')}`;

const DOWN = `
CREATE OR REPLACE FUNCTION require_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  missing record;
BEGIN
  SELECT account.* INTO missing
    FROM (SELECT DISTINCT import_supplier_id, external_account_number FROM added) AS account
   WHERE ${isNotImported('account')}
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'there is no imported account % of import supplier %',
      missing.external_account_number, missing.import_supplier_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  RETURN NULL;
END $$;
${ITEM_TABLES.map((table) => updateTrigger(table, 'NEW TABLE AS added')).join('')}
DROP TRIGGER refuse_account_under_erasure ON account_import;
DROP TRIGGER refuse_deletion_of_imported_account ON account_import;
CREATE TRIGGER refuse_deletion_of_imported_account BEFORE DELETE ON account_import
  FOR EACH ROW WHEN (OLD.status = 'imported') EXECUTE FUNCTION refuse_change_of_account();
DROP TABLE account_erasure, erasure;
DROP FUNCTION refuse_deletion_of_imported_account(), refuse_account_under_erasure(), refuse_end_of_erasure_with_rows();
`;

/** Erasures of accounts, beside running imports. */
export class Erasure1795392120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ERASURE);
    await runner.query(REQUIRE_IMPORTED_ACCOUNT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

function hasRow(table: string): string {
  return `EXISTS (SELECT FROM ${table} t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)`;
}

function isNotImported(account: string): string {
  return `(SELECT 1
              FROM account_import a
             WHERE a.import_supplier_id = ${account}.import_supplier_id
               AND a.external_account_number = ${account}.external_account_number
               AND a.status = 'imported'
             LIMIT 1) IS NULL`;
}

function updateTrigger(table: string, tables: string): string {
  return `
DROP TRIGGER require_imported_account_on_update ON ${table};
CREATE TRIGGER require_imported_account_on_update AFTER UPDATE ON ${table}
  REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();`;
}
