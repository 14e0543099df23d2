import type { MigrationInterface, QueryRunner } from 'typeorm';

/** SQL for whether no imported account has this number. */
const IS_NOT_IMPORTED = `(SELECT 1
              FROM account_import a
             WHERE a.import_supplier_id = account.import_supplier_id
               AND a.external_account_number = account.external_account_number
               AND a.status = 'imported'
             LIMIT 1) IS NULL`;

const FUNCTIONS = `
-- Replaces a foreign key to account_import and also requires that the account is imported. It runs once per query instead of once
-- per row. One query looks up all accounts: nearly every insert is for a single account, and a loop doubled the time.
--
-- No lock is needed. A query locks the tables it writes before it looks for the account, and an erasure, once the account is
-- deleted, removes its last rows only after all transactions that held such a lock have ended. Until then the account is in
-- account_erasure, which tells a query that saw it before its erasure, and is retried, from one with a wrong account number.
--
-- An update that does not move a row to another account is not checked: the row may belong to an account that is being erased.
CREATE FUNCTION require_imported_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  missing record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT account.* INTO missing
      FROM (SELECT DISTINCT import_supplier_id, external_account_number FROM added) AS account
     WHERE ${IS_NOT_IMPORTED}
     LIMIT 1;
  ELSE
    SELECT account.* INTO missing
      FROM (SELECT import_supplier_id, external_account_number FROM added
            EXCEPT
            SELECT import_supplier_id, external_account_number FROM removed) AS account
     WHERE ${IS_NOT_IMPORTED}
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
`;

const NOTE = `
-- Two notes are the same if their bodies are, or without a body their lists of paths. A path contains no line feed. Within an
-- account, half of a SHA-256 is as good as all of it, and the index is smaller.
-- In PL/pgSQL, because the planner tries to inline an SQL function again for every query, and cannot inline one that is
-- immutable but calls convert_to, which is only stable.
CREATE FUNCTION note_content_hash(body text, document_paths text[]) RETURNS bytea
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN substr(sha256(convert_to(
    CASE WHEN body <> '' THEN 'b' || body ELSE 'p' || array_to_string(document_paths, E'\\n') END, 'UTF8')), 1, 16);
END $$;

CREATE TABLE note (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  content_hash bytea NOT NULL GENERATED ALWAYS AS (note_content_hash(body, document_paths)) STORED,
  -- -infinity for the first note with its content, so that the primary key allows only one and any other request conflicts with
  -- it. Each further note has the date-time that was sent (src/notes/same-notes.ts).
  key_time timestamptz NOT NULL DEFAULT '-infinity',
  created_at timestamptz NOT NULL,
  created_at_sent boolean NOT NULL,
  import_request_id uuid NOT NULL,
  body text NOT NULL,
  document_paths text[] NOT NULL DEFAULT '{}',
  document_locations text[] NOT NULL DEFAULT '{}',
  is_pinned boolean NOT NULL,
  unpin_at timestamptz,
  -- When all documents of the note had been found in the store.
  documents_seen_at timestamptz,
  -- The paths that are still missing after some were found. Null before the first look-up.
  unseen_document_paths text[],
  PRIMARY KEY (import_supplier_id, external_account_number, content_hash, key_time),
  CONSTRAINT key_time_is_infinite_or_sent_created_at CHECK (key_time = '-infinity' OR created_at_sent AND key_time = created_at),
  CONSTRAINT body_has_at_most_50000_characters CHECK (char_length(body) <= 50000),
  CONSTRAINT note_has_body_or_document CHECK (body <> '' OR cardinality(document_paths) > 0),
  CONSTRAINT as_many_document_locations_as_paths CHECK (cardinality(document_locations) = cardinality(document_paths)),
  CONSTRAINT unpin_at_is_not_before_sent_created_at CHECK (unpin_at >= created_at OR NOT created_at_sent),
  CONSTRAINT documents_seen_at_only_with_documents
    CHECK (documents_seen_at IS NULL OR cardinality(document_locations) > 0),
  CONSTRAINT unseen_document_paths_are_some_of_document_paths
    CHECK (unseen_document_paths IS NULL
           OR documents_seen_at IS NULL AND unseen_document_paths <@ document_paths
              AND cardinality(unseen_document_paths) > 0)
);
${requireImportedAccount('note')}`;

const TRANSACTION = `
CREATE TABLE transaction (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  -- 0 for a transaction that was checked for duplicates, so that the primary key allows only one of each id. A random value for a
  -- transaction that was added without the check.
  occurrence bigint NOT NULL DEFAULT 0,
  import_request_id uuid NOT NULL,
  transaction_date date NOT NULL,
  -- The date that was sent, if the transaction was moved into the open statement period.
  sent_date date,
  amount numeric(14, 2) NOT NULL,
  type text NOT NULL,
  reason text,
  reference text,
  payment_type text,
  display_note text,
  note text,
  product_code text,
  -- The text written by the service, byte for byte; jsonb would be parsed, sorted, and written again when it is read.
  line_items json,
  tax_items json,
  -- The note sent with a transaction that was moved; null if none was sent, and for all other transactions.
  sent_note text,
  PRIMARY KEY (import_supplier_id, external_account_number, transaction_id, occurrence),
  CONSTRAINT transaction_id_has_1_to_128_characters CHECK (char_length(transaction_id) BETWEEN 1 AND 128),
  CONSTRAINT sent_date_differs_from_transaction_date CHECK (sent_date <> transaction_date),
  CONSTRAINT type_is_known CHECK (type IN ('CHARGE', 'CREDIT', 'PAYMENT', 'REPAYMENT', 'SUPPLY_CHARGE')),
  CONSTRAINT supply_charge_has_product_code_and_line_items
    CHECK (type <> 'SUPPLY_CHARGE' OR (product_code IS NOT NULL AND line_items IS NOT NULL)),
  CONSTRAINT line_items_is_a_json_array CHECK (json_typeof(line_items) = 'array'),
  CONSTRAINT tax_items_is_a_json_array CHECK (json_typeof(tax_items) = 'array')
);
-- Whether an account has transactions that cannot be found by primary key. Few accounts have any.
CREATE INDEX transaction_without_duplicate_check ON transaction (import_supplier_id, external_account_number)
  WHERE occurrence <> 0;
${requireImportedAccount('transaction')}`;

const STATEMENT = `
CREATE TABLE statement (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  statement_id text COLLATE "C" NOT NULL,
  bill_period_from_date date NOT NULL,
  bill_period_to_date date NOT NULL,
  issued_date date,
  number text COLLATE "C",
  gross_amount numeric,
  statement_path text,
  document_location text,
  document_seen_at timestamptz,
  import_request_id uuid NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number, statement_id),
  CONSTRAINT statement_id_has_1_to_128_characters CHECK (char_length(statement_id) BETWEEN 1 AND 128),
  CONSTRAINT bill_period_does_not_end_before_it_starts CHECK (bill_period_from_date <= bill_period_to_date),
  CONSTRAINT number_has_1_to_128_characters CHECK (char_length(number) BETWEEN 1 AND 128),
  CONSTRAINT gross_amount_has_at_most_10_decimals CHECK (scale(gross_amount) <= 10),
  CONSTRAINT statement_path_has_1_to_1024_bytes CHECK (octet_length(statement_path) BETWEEN 1 AND 1024),
  CONSTRAINT document_location_if_and_only_if_statement_path
    CHECK ((statement_path IS NULL) = (document_location IS NULL)),
  CONSTRAINT document_seen_at_only_with_document CHECK (document_seen_at IS NULL OR document_location IS NOT NULL)
);
${requireImportedAccount('statement')}`;

const PAYMENT_INSTRUCTION = `
-- Used in the primary key instead of the reference: an index entry cannot hold 512 characters of four bytes. In PL/pgSQL for the
-- same reason as note_content_hash.
CREATE FUNCTION payment_reference_hash(reference text) RETURNS bytea
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  RETURN sha256(convert_to(reference, 'UTF8'));
END $$;

CREATE TABLE payment_instruction (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  vendor text COLLATE "C" NOT NULL,
  reference_hash bytea NOT NULL GENERATED ALWAYS AS (payment_reference_hash(reference)) STORED,
  import_request_id uuid NOT NULL,
  reference text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  details jsonb NOT NULL,
  verified_at timestamptz NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number, vendor, reference_hash),
  CONSTRAINT vendor_has_1_to_128_characters CHECK (char_length(vendor) BETWEEN 1 AND 128),
  CONSTRAINT reference_has_1_to_512_characters CHECK (char_length(reference) BETWEEN 1 AND 512),
  CONSTRAINT type_has_1_to_128_characters CHECK (char_length(type) BETWEEN 1 AND 128),
  CONSTRAINT details_is_a_json_object CHECK (jsonb_typeof(details) = 'object'),
  -- The shortest card numbers have twelve digits. No stored detail has twelve digits in a row.
  CONSTRAINT details_contain_no_card_number CHECK (details::text !~ '([0-9][ -]?){12}')
);
${requireImportedAccount('payment_instruction')}`;

const ITEM_TABLES = ['note', 'transaction', 'statement', 'payment_instruction'];

const END_OF_AN_ERASURE = `
-- An erasure must not leave rows without an account.
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

const DOWN = `
DROP TRIGGER refuse_end_of_erasure_with_rows ON account_erasure;
DROP TABLE payment_instruction, statement, transaction, note;
DROP FUNCTION refuse_end_of_erasure_with_rows(), payment_reference_hash(text), note_content_hash(text, text[]),
              require_imported_account();
`;

/** The items that the four POSTs store on imported accounts. */
export class ImportedItems1795000240000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const part of [FUNCTIONS, NOTE, TRANSACTION, STATEMENT, PAYMENT_INSTRUCTION, END_OF_AN_ERASURE]) {
      await runner.query(part);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}

function hasRow(table: string): string {
  return `EXISTS (SELECT FROM ${table} t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)`;
}

/** The triggers that require each row of a table to belong to an imported account. */
function requireImportedAccount(table: string): string {
  const trigger = (event: string, tables: string): string => `
CREATE TRIGGER require_imported_account_on_${event.toLowerCase()} AFTER ${event} ON ${table}
  REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();`;
  return (
    trigger('INSERT', 'NEW TABLE AS added') + trigger('UPDATE', 'OLD TABLE AS removed NEW TABLE AS added')
  );
}
