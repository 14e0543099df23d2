import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- A row of the queue is for the totals, for the readers of the feed, or for both: what of it is unset does not concern the other.
ALTER TABLE supplier_change
  -- What readers hear of; unset where there is nothing to hear, and once it is numbered.
  ADD COLUMN type text,
  ADD COLUMN import_request_id uuid,
  -- The new status of the supplier.
  ADD COLUMN status text,
  -- It has no key, and a supplier that is moved to another node is replicated logically.
  REPLICA IDENTITY FULL;

-- The lock of whoever numbers changes of a supplier, and the last number.
CREATE TABLE feed (
  import_supplier_id integer PRIMARY KEY CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  last_sequence bigint NOT NULL DEFAULT 0,
  -- The server that has numbered last; unset before. Another timeline of the same server is that of a fail-over.
  system_identifier bigint,
  timeline integer,
  CONSTRAINT last_sequence_is_not_negative CHECK (last_sequence >= 0)
);

-- Numbers mean the same changes up to where a later epoch begins.
CREATE TABLE feed_epoch (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  number integer NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  -- Up to this number it continues the epoch before.
  continues_after bigint NOT NULL,
  began_at timestamptz NOT NULL DEFAULT now(),
  reason text NOT NULL,
  PRIMARY KEY (import_supplier_id, number),
  CONSTRAINT number_is_positive CHECK (number > 0),
  CONSTRAINT continues_after_is_not_negative CHECK (continues_after >= 0),
  CONSTRAINT reason_is_not_empty CHECK (reason <> '')
);

-- The changes of each supplier, numbered 1, 2, 3 … Of an erased account only number and type are left.
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

-- Erasures find the changes of an account by the times of its requests, without an index that has the accounts in any order.
CREATE INDEX feed_change_at ON feed_change USING brin (at) WITH (pages_per_range = 32, autosummarize = on);
CREATE INDEX feed_change_of_account ON feed_change (import_supplier_id, external_account_number)
  WHERE type IN ('account.imported', 'account.period_changed');
CREATE INDEX feed_change_undone ON feed_change (import_supplier_id, import_request_id) WHERE type = 'import.undone';

-- How far those who read under a name have come.
CREATE TABLE feed_reader (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  name text COLLATE "C" NOT NULL,
  -- Everything up to it is done.
  sequence bigint NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (import_supplier_id, name),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) BETWEEN 1 AND 128),
  CONSTRAINT sequence_is_not_negative CHECK (sequence >= 0)
);
`;

/** What is there is numbered by its time; within a transaction accounts come before items, and those before their undo. */
const NUMBER = `
INSERT INTO feed_change (import_supplier_id, sequence, at, import_request_id, external_account_number, type, status)
SELECT c.import_supplier_id,
       row_number() OVER (PARTITION BY c.import_supplier_id ORDER BY c.at, c.rank, c.external_account_number, c.import_request_id),
       c.at, c.import_request_id, c.external_account_number, c.type, c.status
  FROM (SELECT a.import_supplier_id, a.account_created_at AS at, 1 AS rank, NULL::uuid AS import_request_id,
               a.external_account_number, 'account.imported' AS type, NULL AS status
          FROM account_import a
         WHERE a.status = 'imported'
        UNION ALL
        SELECT r.import_supplier_id, r.stored_at, 2, r.id, r.external_account_number, r.kind || '.added', NULL
          FROM import_request r
         UNION ALL
        SELECT r.import_supplier_id, r.undone_at, 3, r.id, r.external_account_number, 'import.undone', NULL
          FROM import_request r
         WHERE r.undone_at IS NOT NULL
         UNION ALL
        SELECT s.id, now(), 4, NULL, NULL, 'supplier.status_changed', s.status
          FROM import_supplier s
         WHERE s.status <> 'ongoing') AS c;

INSERT INTO feed (import_supplier_id, last_sequence)
SELECT s.id, coalesce((SELECT max(c.sequence) FROM feed_change c WHERE c.import_supplier_id = s.id), 0)
  FROM import_supplier s;

INSERT INTO feed_epoch (import_supplier_id, number, continues_after, reason)
SELECT s.id, 1, 0, 'the first one'
  FROM import_supplier s;
`;

const DOWN = `
DROP TABLE feed_reader, feed_change, feed_epoch, feed;
ALTER TABLE supplier_change REPLICA IDENTITY DEFAULT, DROP COLUMN status, DROP COLUMN import_request_id, DROP COLUMN type;
`;

/** The numbered changes of each supplier (docs/decisions/0019-a-feed-without-gaps.md). */
export class Feed1795910000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await runner.query(NUMBER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
