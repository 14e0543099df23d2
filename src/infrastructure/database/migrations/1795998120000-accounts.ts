import type { MigrationInterface, QueryRunner } from 'typeorm';

const ACCOUNT_IMPORT = `
-- An odd factor maps the sequence one-to-one to the numbers below 2^32, in a scattered order. The factor is below 2^31, so that
-- the product fits into a bigint.
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
-- The index contains the status, so that a list of the pending or the failed accounts reads no rows of others.
CREATE INDEX account_import_not_imported ON account_import (import_supplier_id, external_account_number, status)
  WHERE status <> 'imported';
-- For the list of imported accounts, which would otherwise read every pending account of a supplier that has just started. The
-- condition means the same as status = 'imported' (see the constraint above). It is written differently so that only the list
-- uses this index: while few accounts are imported, the planner would prefer it to the primary key for looking up one imported
-- account, and keep that plan.
CREATE INDEX account_import_imported ON account_import (import_supplier_id, external_account_number)
  WHERE account_created_at IS NOT NULL;
-- Staged objects that are still kept, oldest first. An account leaves the index when its object is removed.
CREATE INDEX account_import_staged_object ON account_import (import_supplier_id, account_created_at)
  WHERE account_created_at IS NOT NULL AND account IS NOT NULL;
-- How long the oldest pending account has waited for its import, even if many accounts with lower numbers have failed.
CREATE INDEX account_import_pending_since ON account_import (import_supplier_id, staged_at) WHERE status = 'pending';
-- The failed accounts, which are few, the latest failure first.
CREATE INDEX account_import_failed ON account_import (import_supplier_id, failed_at DESC NULLS LAST, external_account_number DESC)
  WHERE status = 'failed';
-- The failed accounts of a supplier by cause, which is the failure's sentence without its dates. A failure is a short sentence
-- written by the service, so it fits into the index.
CREATE INDEX account_import_failure
    ON account_import (import_supplier_id, (regexp_replace(failure, '\\d{4}-\\d{2}-\\d{2}', '…', 'g') COLLATE "C"),
                       external_account_number)
  INCLUDE (failure, failed_at)
  WHERE status = 'failed';

-- Replaces a foreign key to import_supplier. It runs once per query instead of once per row, which halves the time of staging.
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

/** Data that belongs to an account and is deleted with it. */
const BESIDE_AN_ACCOUNT = `
-- The control totals that the supplier gave for the account; null where it gave none.
CREATE TABLE account_control (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  notes bigint,
  transactions bigint,
  -- Sum of the amounts of the transactions.
  amount numeric,
  statements bigint,
  payment_instructions bigint,
  -- How the account compares. Missing items may still arrive; too many items, or all of them with another sum, are an error.
  state text NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT account_import_exists FOREIGN KEY (import_supplier_id, external_account_number)
    REFERENCES account_import ON DELETE CASCADE,
  CONSTRAINT control_expects_something
    CHECK (num_nonnulls(notes, transactions, amount, statements, payment_instructions) > 0),
  CONSTRAINT control_counts_are_not_negative
    CHECK (least(notes, transactions, statements, payment_instructions) >= 0),
  CONSTRAINT state_is_known CHECK (state IN ('agrees', 'not_imported', 'incomplete', 'too_many', 'wrong_amount'))
);
CREATE INDEX account_control_differing ON account_control (import_supplier_id, state, external_account_number)
  WHERE state <> 'agrees';

-- Imported accounts without any import request that is not undone, according to the changes carried over into the totals.
CREATE TABLE unloaded_account (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT account_import_exists FOREIGN KEY (import_supplier_id, external_account_number)
    REFERENCES account_import ON DELETE CASCADE
);
`;

const ERASURE = `
-- The erasures under way, each with what it has removed so far. The audit entries are the permanent record.
CREATE TABLE erasure (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- Null if all accounts of the supplier are erased.
  external_account_number text COLLATE "C",
  reason text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- The run of the command that carries out the erasure. A later run takes over, and the earlier one stops.
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

-- An imported account is only deleted by its erasure, which removes its rows afterwards.
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
`;

const DOWN = `
DROP TRIGGER refuse_deletion_of_supplier_with_accounts ON import_supplier;
DROP TABLE account_erasure, erasure, unloaded_account, account_control, import_lease, account_import;
DROP FUNCTION require_import_supplier(), refuse_deletion_of_supplier_with_accounts(), refuse_change_of_account(),
              refuse_deletion_of_imported_account(), refuse_account_under_erasure(), next_service_account_number();
DROP SEQUENCE service_account_serial;
`;

/** Accounts from staging to the platform account and their erasure, importers' leases, and control totals. */
export class Accounts1795998120000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const part of [ACCOUNT_IMPORT, BESIDE_AN_ACCOUNT, ERASURE]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
