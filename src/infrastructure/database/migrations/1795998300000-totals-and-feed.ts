import type { MigrationInterface, QueryRunner } from 'typeorm';

const TOTALS = `
-- Changes that are not yet in the totals, or not yet in the feed. A row is for the totals, for the readers of the feed, or for
-- both; columns for the other purpose are null. Every import adds rows that are removed a few seconds later, so there is no key,
-- index or constraint.
CREATE TABLE supplier_change (
  import_supplier_id integer NOT NULL,
  -- Null only for changes in the numbers of accounts by status.
  external_account_number text COLLATE "C",
  at timestamptz NOT NULL DEFAULT now(),
  requests integer,
  notes integer,
  transactions integer,
  statements integer,
  payment_instructions integer,
  amount numeric,
  pending integer,
  imported integer,
  failed integer,
  -- The type in the feed; null if the change is not for the feed, and once it is numbered.
  type text,
  import_request_id uuid,
  -- The new status of the supplier.
  status text,
  -- For imports of transactions: the notes that were pinned for moved ones, which are included in notes.
  pinned_notes integer
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 50000);
-- It has no key, and a supplier that is moved to another node is replicated logically.
ALTER TABLE supplier_change REPLICA IDENTITY FULL;

-- No constraint: a count below 0, which "totals check" would find, must not block other changes.
CREATE TABLE supplier_total (
  import_supplier_id integer PRIMARY KEY CONSTRAINT import_supplier_exists REFERENCES import_supplier ON DELETE CASCADE,
  requests bigint NOT NULL DEFAULT 0,
  -- Accounts with at least one import request.
  loaded_accounts bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0,
  transactions bigint NOT NULL DEFAULT 0,
  statements bigint NOT NULL DEFAULT 0,
  payment_instructions bigint NOT NULL DEFAULT 0,
  -- Sum of the amounts of the transactions.
  amount numeric NOT NULL DEFAULT 0.00,
  pending bigint NOT NULL DEFAULT 0,
  imported bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  last_request_at timestamptz,
  -- The number of accounts with control totals, when they were last counted, and the time up to which changes were included.
  controlled bigint NOT NULL DEFAULT 0,
  controls_counted_at timestamptz,
  controls_as_of timestamptz,
  -- Whether one of them may have changed since then.
  are_controls_stale boolean NOT NULL DEFAULT false,
  -- The notes pinned by the service.
  pinned_notes bigint NOT NULL DEFAULT 0,
  -- Accounts with control totals by their state, as of the last count.
  not_imported bigint NOT NULL DEFAULT 0,
  incomplete bigint NOT NULL DEFAULT 0,
  too_many bigint NOT NULL DEFAULT 0,
  wrong_amount bigint NOT NULL DEFAULT 0,
  -- The sums that all accounts together must have; null if one of them has no control total of the kind.
  expected_notes numeric,
  expected_transactions numeric,
  expected_statements numeric,
  expected_payment_instructions numeric,
  -- Whether the sums may have changed since they were computed.
  is_expected_stale boolean NOT NULL DEFAULT true,
  -- The documents of requests with lower ids have been looked up, unless they are in the store. Other documents that
  -- are not in the store have never been looked up. Request ids are in the order of time.
  documents_looked_up_before uuid
);

-- The numbers added in each minute of the last day.
CREATE TABLE supplier_minute (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier ON DELETE CASCADE,
  minute timestamptz NOT NULL,
  requests integer NOT NULL,
  notes integer NOT NULL,
  transactions integer NOT NULL,
  statements integer NOT NULL,
  payment_instructions integer NOT NULL,
  imported integer NOT NULL,
  failed integer NOT NULL,
  PRIMARY KEY (import_supplier_id, minute),
  CONSTRAINT counts_are_not_negative
    CHECK (least(requests, notes, transactions, statements, payment_instructions, imported, failed) >= 0)
);
`;

const FEED = `
-- The lock for numbering the changes of a supplier, and the last number.
CREATE TABLE feed (
  import_supplier_id integer PRIMARY KEY CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  last_sequence bigint NOT NULL DEFAULT 0,
  -- The server that last numbered changes; null before the first. Another timeline of the same server means a fail-over.
  system_identifier bigint,
  timeline integer,
  CONSTRAINT last_sequence_is_not_negative CHECK (last_sequence >= 0)
);

-- A number means the same change in all epochs, up to the point where a later epoch begins.
CREATE TABLE feed_epoch (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  number integer NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- The epoch continues the previous one up to this number.
  continues_after bigint NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  reason text NOT NULL,
  PRIMARY KEY (import_supplier_id, number),
  CONSTRAINT number_is_positive CHECK (number > 0),
  CONSTRAINT continues_after_is_not_negative CHECK (continues_after >= 0),
  CONSTRAINT reason_is_not_empty CHECK (reason <> '')
);

-- The changes of each supplier, numbered 1, 2, 3 … For an erased account only number and type are kept.
CREATE TABLE feed_change (
  import_supplier_id integer NOT NULL,
  sequence bigint NOT NULL,
  at timestamptz,
  import_request_id uuid,
  external_account_number text COLLATE "C",
  type text NOT NULL,
  status text,
  PRIMARY KEY (import_supplier_id, sequence),
  CONSTRAINT sequence_is_positive CHECK (sequence > 0),
  CONSTRAINT type_is_known CHECK (type IN
    ('supplier.status_changed', 'account.imported', 'account.period_changed', 'notes.added', 'transactions.added',
     'statements.added', 'payment_instruction.added', 'import.undone', 'account.erased')),
  CONSTRAINT status_if_and_only_if_it_changed CHECK ((status IS NOT NULL) = (type = 'supplier.status_changed')),
  CONSTRAINT account_and_time_are_erased_together CHECK (
    CASE WHEN type = 'supplier.status_changed' THEN at IS NOT NULL AND external_account_number IS NULL
         ELSE (at IS NULL) = (external_account_number IS NULL) END),
  CONSTRAINT import_request_id_only_with_account CHECK (import_request_id IS NULL OR external_account_number IS NOT NULL)
);

-- Erasures find the changes of an account by the times of its requests, without an index that contains accounts in random order.
CREATE INDEX feed_change_at ON feed_change USING brin (at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX feed_change_of_account ON feed_change (import_supplier_id, external_account_number)
  WHERE type IN ('account.imported', 'account.period_changed');
CREATE INDEX feed_change_undone ON feed_change (import_supplier_id, import_request_id) WHERE type = 'import.undone';

-- The progress of readers that read under a name.
CREATE TABLE feed_reader (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  name text COLLATE "C" NOT NULL,
  -- The key of the reader: keys that use the same name are separate readers.
  platform_key_id uuid NOT NULL,
  -- The reader has processed all changes up to this number.
  sequence bigint NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (import_supplier_id, name, platform_key_id),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) BETWEEN 1 AND 128),
  CONSTRAINT sequence_is_not_negative CHECK (sequence >= 0)
);
`;

const DOWN = `DROP TABLE feed_reader, feed_change, feed_epoch, feed, supplier_minute, supplier_total, supplier_change`;

/**
 * The totals of suppliers and the numbered changes of each (docs/decisions/0014-totals-behind-the-requests.md,
 * docs/decisions/0019-a-feed-without-gaps.md).
 */
export class TotalsAndFeed1795998300000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TOTALS);
    await runner.query(FEED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
