import type { MigrationInterface, QueryRunner } from 'typeorm';

const IMPORT_REQUEST = `
-- One row for each request that stored something. Each stored row carries its id. The columns after "pinned_notes" have no
-- constraints: PostgreSQL reads the text of each anew for every query, which takes 1 % of an import.
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
  -- The trace of the client that a request belongs to (W3C Trace Context); unset when the client sent none.
  trace_id uuid,
  -- The sum of the transactions that were stored; unset for the other kinds.
  amount numeric,
  -- How many items were sent.
  items integer,
  -- From the headers of the request until its rows were written.
  duration_ms integer,
  -- When the rows that the request stored were removed again; its record stays.
  undone_at timestamptz,
  -- The part of the body, as it was sent, that was stored: readers of the feed get only so many at a time.
  bytes integer,
  -- True while the documents to which its rows refer were not all seen in the store, otherwise unset.
  has_unseen_documents boolean,
  PRIMARY KEY (import_supplier_id, external_account_number, id),
  CONSTRAINT kind_is_known CHECK (kind IN ('notes', 'transactions', 'statements', 'payment_instruction')),
  CONSTRAINT stored_is_positive CHECK (stored > 0),
  CONSTRAINT pinned_notes_only_with_transactions
    CHECK (pinned_notes = 0 OR pinned_notes = 1 AND kind = 'transactions')
);
-- For the lists of requests, newest first, and for one that is looked for by its id or the beginning of it.
CREATE INDEX import_request_stored_at ON import_request (import_supplier_id, stored_at);
CREATE INDEX import_request_request_id ON import_request (import_supplier_id, request_id text_pattern_ops);
-- In the order of time, so that what is missing and what was not looked up yet are each a part of the index. An index of the items
-- would cost each of them an entry.
CREATE INDEX import_request_unseen_documents ON import_request (import_supplier_id, kind, id) WHERE has_unseen_documents;
`;

/**
 * Elements of one list are one field: `statements.0.number` and `statements.5.number` are `statements.number`. The client has
 * invented the name of an undocumented field: all of them are one cause, which has no field.
 */
const FIELD = `CASE WHEN field_code = 'unexpected_field' THEN NULL
                    ELSE regexp_replace(attr, '\\.[0-9]+(?=\\.|$)', '', 'g') END`;

/** What refusals of one cause have in common. */
const CAUSE = [
  ...['kind', 'status::text', 'code', `coalesce(field_code, '')`, 'is_dry_run::text'],
  `coalesce(${FIELD}, '')`,
];

const IMPORT_REFUSAL = `
-- Import requests that were refused with 400 or 404, kept for a limited time. Unlike the other tables of an account it also
-- has numbers of no account, and '' where the request had none.
CREATE TABLE import_refusal (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  -- Version 7: it has the time of the refusal, so that this order is that of time.
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  kind text NOT NULL,
  api_key_id uuid NOT NULL,
  request_id text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  -- Path and code of the first field error, where the refusal has one.
  attr text,
  field_code text,
  is_dry_run boolean NOT NULL,
  trace_id uuid,
  -- What was sent in a field with a closed set of values. Of no other field is the value kept.
  value text,
  -- Whose it is: so many are kept of each organisation, so that none removes another one's.
  organisation_id uuid NOT NULL,
  field text GENERATED ALWAYS AS (${FIELD}) STORED,
  cause bigint GENERATED ALWAYS AS (hashtextextended(${CAUSE.join(` || ' ' || `)}, 0)) STORED,
  -- The ids of the items, and refused values as far as they may be kept.
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
-- What is removed first, and the refusals of a supplier since some time.
CREATE INDEX import_refusal_at ON import_refusal (import_supplier_id, at);
CREATE INDEX import_refusal_organisation ON import_refusal (import_supplier_id, organisation_id, at);
CREATE INDEX import_refusal_request_id ON import_refusal (import_supplier_id, request_id text_pattern_ops);
-- The refusals of a supplier by cause, and those of one cause by account, with everything that is counted.
CREATE INDEX import_refusal_cause ON import_refusal (import_supplier_id, cause, external_account_number, id)
  INCLUDE (at, value, api_key_id);
`;

/** The record of import requests, and of those that were refused. */
export class ImportRequests1795000180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(IMPORT_REQUEST);
    await runner.query(IMPORT_REFUSAL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_refusal, import_request');
  }
}
