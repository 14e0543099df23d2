/**
 * The tables of the floor, as few and as narrow as the endpoints allow. The key of an account is a bigint, line and tax items
 * are in their transaction's row, and there are no foreign keys.
 */
export const FLOOR_SCHEMA = `
  CREATE TABLE token (hash bytea PRIMARY KEY, organisation_id integer NOT NULL);
  CREATE TABLE supplier (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code text NOT NULL UNIQUE,
    organisation_id integer NOT NULL,
    is_ongoing boolean NOT NULL,
    document_root text NOT NULL
  );
  CREATE TABLE account (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    supplier_id integer NOT NULL,
    external_number text COLLATE "C" NOT NULL,
    service_number text,
    created_at timestamptz,
    open_from date,
    open_to date,
    UNIQUE (supplier_id, external_number)
  );
  CREATE TABLE transaction (
    account_id bigint NOT NULL,
    transaction_id text COLLATE "C" NOT NULL,
    transaction_date date NOT NULL,
    amount numeric(14, 2) NOT NULL,
    type text NOT NULL,
    reason text,
    reference text,
    payment_type text,
    display_note text,
    note text,
    product_code text,
    line_items jsonb,
    tax_items jsonb,
    PRIMARY KEY (account_id, transaction_id)
  );
  CREATE TABLE note (
    account_id bigint NOT NULL,
    body_hash bytea NOT NULL,
    created_at timestamptz NOT NULL,
    body text NOT NULL,
    document_locations text[],
    is_pinned boolean NOT NULL,
    unpin_at timestamptz,
    PRIMARY KEY (account_id, body_hash, created_at)
  );
  CREATE TABLE statement (
    account_id bigint NOT NULL,
    statement_id text COLLATE "C" NOT NULL,
    period_from date NOT NULL,
    period_to date NOT NULL,
    issued_date date,
    number text,
    gross_amount numeric,
    document_location text,
    PRIMARY KEY (account_id, statement_id)
  )`;
