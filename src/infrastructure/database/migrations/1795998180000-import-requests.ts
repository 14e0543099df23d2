import type { MigrationInterface, QueryRunner } from 'typeorm';

const IMPORT_REQUEST = `
-- One row for each request that stored something; each stored row has its id. The columns after "pinned_notes" have no
-- constraints: PostgreSQL parses the text of each constraint again for every query, which takes 1 % of an import.
CREATE TABLE import_request (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  api_key_id uuid NOT NULL,
  request_id text NOT NULL,
  stored integer NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT now(),
  -- An import of transactions may also pin a note, which "stored" does not count.
  pinned_notes integer NOT NULL DEFAULT 0,
  -- The trace of the client that the request belongs to (W3C Trace Context); null if the client sent none.
  trace_id uuid,
  -- The sum of the stored transactions; null for the other kinds.
  amount numeric,
  -- The number of items sent.
  items integer,
  -- Time from the headers of the request until its rows were written.
  duration_ms integer,
  -- When the rows that the request stored were removed again; its record stays.
  undone_at timestamptz,
  -- Size of the part of the body, as sent, that was stored: a page of the feed is limited by bytes.
  bytes integer,
  -- True while not all documents that its rows refer to have been found in the store, otherwise null.
  has_unseen_documents boolean,
  PRIMARY KEY (import_supplier_id, external_account_number, id),
  CONSTRAINT kind_is_known CHECK (kind IN ('notes', 'transactions', 'statements', 'payment_instruction')),
  CONSTRAINT stored_is_positive CHECK (stored > 0),
  CONSTRAINT pinned_notes_only_with_transactions
    CHECK (pinned_notes = 0 OR pinned_notes = 1 AND kind = 'transactions')
);
-- For lists of requests, newest first, and for looking up a request by its id or the beginning of the id.
CREATE INDEX import_request_stored_at ON import_request (import_supplier_id, stored_at);
CREATE INDEX import_request_request_id ON import_request (import_supplier_id, request_id text_pattern_ops);
-- In the order of time, so that missing documents and documents that were not looked up yet are each a range of the index. An
-- index on the items would cost an entry for each of them.
CREATE INDEX import_request_unseen_documents ON import_request (import_supplier_id, kind, id) WHERE has_unseen_documents;
`;

/**
 * Elements of one list count as one field: `statements.0.number` and `statements.5.number` are `statements.number`. The client
 * invented the name of an undocumented field, so all of those are one cause without a field.
 */
const FIELD = `CASE WHEN field_code = 'unexpected_field' THEN NULL
                    ELSE regexp_replace(attr, '\\.[0-9]+(?=\\.|$)', '', 'g') END`;

/** The columns that rejected requests of one cause have in common. */
const CAUSE = [
  ...['kind', 'status::text', 'code', `coalesce(field_code, '')`, 'is_dry_run::text'],
  `coalesce(${FIELD}, '')`,
];

const IMPORT_REFUSAL = `
-- Import requests that were rejected with 400 or 404, kept for a limited time. Unlike the other tables of an account, this one
-- also contains numbers without an account, and '' for requests without a number.
CREATE TABLE import_refusal (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  -- A version 7 UUID, which begins with the time of the rejection, so that ids are in the order of time.
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  api_key_id uuid NOT NULL,
  request_id text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  -- Path and code of the first field error, if there is one.
  attr text,
  field_code text,
  is_dry_run boolean NOT NULL,
  trace_id uuid,
  -- The value sent in a field with a closed set of values. No other field's value is kept.
  value text,
  -- The organisation that sent the request. A limited number is kept for each organisation, so that none displaces another's.
  organisation_id uuid NOT NULL,
  field text GENERATED ALWAYS AS (${FIELD}) STORED,
  cause bigint GENERATED ALWAYS AS (hashtextextended(${CAUSE.join(` || ' ' || `)}, 0)) STORED,
  -- The ids of the items, and the rejected values that may be kept.
  items jsonb,
  PRIMARY KEY (import_supplier_id, external_account_number, id),
  CONSTRAINT external_account_number_has_at_most_128_characters CHECK (char_length(external_account_number) <= 128),
  CONSTRAINT kind_is_known CHECK (kind IN ('notes', 'transactions', 'statements', 'payment_instruction')),
  CONSTRAINT request_id_has_at_most_128_characters CHECK (char_length(request_id) <= 128),
  CONSTRAINT status_is_400_or_404 CHECK (status IN (400, 404)),
  CONSTRAINT attr_has_at_most_256_characters CHECK (char_length(attr) <= 256),
  CONSTRAINT attr_if_and_only_if_field_code CHECK ((attr IS NULL) = (field_code IS NULL)),
  CONSTRAINT value_has_at_most_128_characters CHECK (char_length(value) <= 128),
  CONSTRAINT value_only_of_a_field_with_a_closed_set_of_values
    CHECK (value IS NULL OR field_code IS NOT DISTINCT FROM 'invalid_choice'
                            AND attr ~ '(^|\\.)(type|reason|payment_type|unit_type|vendor)$'),
  CONSTRAINT items_are_an_object CHECK (jsonb_typeof(items) = 'object'),
  CONSTRAINT items_are_small CHECK (pg_column_size(items) <= 8192)
);
-- For removing the oldest rows, and for a supplier's rejected requests since a time.
CREATE INDEX import_refusal_at ON import_refusal (import_supplier_id, at);
CREATE INDEX import_refusal_organisation ON import_refusal (import_supplier_id, organisation_id, at);
CREATE INDEX import_refusal_request_id ON import_refusal (import_supplier_id, request_id text_pattern_ops);
-- The rejected requests of a supplier by cause, and those of one cause by account, including all columns that are counted.
CREATE INDEX import_refusal_cause ON import_refusal (import_supplier_id, cause, external_account_number, id)
  INCLUDE (at, value, api_key_id);
`;

/** The record of import requests, and of rejected ones. */
export class ImportRequests1795998180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IMPORT_REQUEST);
    await runner.query(IMPORT_REFUSAL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_refusal, import_request');
  }
}
