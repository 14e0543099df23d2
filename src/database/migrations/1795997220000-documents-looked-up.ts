import type { MigrationInterface, QueryRunner } from 'typeorm';

const VIEWS_OF_SUPPLIERS = `'failures.download', 'feed.read', 'accounts.download'`;

/** What a view is of, by its action. */
const viewIsOf = (actionsOfSupplier: string): string => `
ALTER TABLE viewed
  DROP CONSTRAINT view_is_of_an_account_a_supplier_or_a_session,
  ADD CONSTRAINT view_is_of_an_account_a_supplier_or_a_session CHECK (
    CASE WHEN action IN ('account.view', 'account.rows', 'document.view')
         THEN num_nulls(import_supplier, external_account_number) = 0 AND session_id IS NULL
         -- Of all accounts of a supplier.
         WHEN action IN (${actionsOfSupplier})
         THEN import_supplier IS NOT NULL AND external_account_number = '' AND session_id IS NULL
         WHEN action IN ('console.sign_in', 'console.sign_out')
         THEN num_nonnulls(import_supplier, external_account_number) = 0 AND session_id IS NOT NULL
         ELSE false
     END);
`;

/** @param columns of the documents that were not seen, after the supplier */
const notSeen = (note: string, statement: string): string => `
DROP INDEX note_documents_not_seen, statement_document_not_seen;
CREATE INDEX note_documents_not_seen ON note (import_supplier_id, ${note})
  WHERE cardinality(document_locations) > 0 AND documents_seen_at IS NULL;
CREATE INDEX statement_document_not_seen ON statement (import_supplier_id, ${statement})
  WHERE document_location IS NOT NULL AND document_seen_at IS NULL;
`;

const UP = `
-- The documents of requests with ids before this one were looked up, unless they are in the store: so the others that were not seen are
-- those that nobody has looked for. Ids of requests are in the order of time.
ALTER TABLE supplier_total ADD COLUMN documents_looked_up_before uuid;

-- The last run of each kind that a service process carries out for a supplier, for those who wait for it.
CREATE TABLE supplier_run (
  import_supplier text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- Accounts or documents that are done, of so many where that is known.
  done bigint NOT NULL DEFAULT 0,
  expected bigint,
  -- When its process has last said that it runs.
  advanced_at timestamptz NOT NULL DEFAULT now(),
  -- Null while it runs, and for ever when its process was killed.
  outcome text,
  PRIMARY KEY (import_supplier, kind),
  CONSTRAINT kind_is_known CHECK (kind IN ('retry', 'documents')),
  CONSTRAINT outcome_is_known CHECK (outcome IN ('complete', 'interrupted', 'failed')),
  CONSTRAINT counts_are_not_negative CHECK (least(done, expected) >= 0)
);
INSERT INTO supplier_run (import_supplier, kind, id, started_at, done, advanced_at, outcome)
SELECT import_supplier, 'retry', id, started_at, pending, advanced_at, outcome FROM retry_run;
DROP TABLE retry_run;

-- In the order of time, so that what is missing and what was not looked up yet are each a part of the index.
${notSeen('import_request_id, content_hash, created_at', 'import_request_id, statement_id')}
${viewIsOf(`${VIEWS_OF_SUPPLIERS}, 'documents.download'`)}`;

const DOWN = `
DELETE FROM viewed WHERE action = 'documents.download';
${viewIsOf(VIEWS_OF_SUPPLIERS)}
${notSeen('external_account_number, content_hash, created_at', 'external_account_number, statement_id')}
CREATE TABLE retry_run (
  import_supplier text COLLATE "C" PRIMARY KEY,
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  pending bigint NOT NULL DEFAULT 0,
  advanced_at timestamptz NOT NULL DEFAULT now(),
  outcome text,
  CONSTRAINT outcome_is_known CHECK (outcome IN ('complete', 'interrupted', 'failed')),
  CONSTRAINT pending_is_not_negative CHECK (pending >= 0)
);
DROP TABLE supplier_run;
ALTER TABLE supplier_total DROP COLUMN documents_looked_up_before;
`;

/** Missing documents, and those that were not looked up yet (choice F5), and runs of several kinds in the background. */
export class DocumentsLookedUp1795997220000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
