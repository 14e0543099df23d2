import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Nothing else changes an audit entry; the table stays locked until the end of the migration. */
const WITHOUT_TRIGGER = (change: string): string => `
ALTER TABLE audit_entry DISABLE TRIGGER refuse_change_of_audit_entry;
${change}
ALTER TABLE audit_entry ENABLE TRIGGER refuse_change_of_audit_entry;
`;

const UP = `
-- Who signed in to the console, and who saw which account: a row for each hour of a viewer, action and account (or supplier), and for each
-- sign-in and sign-out of a session. It has no text that a client chose, and goes with the account.
CREATE TABLE viewed (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- An operator's name, or the API key of a supplier's admin.
  viewer text NOT NULL,
  action text NOT NULL,
  import_supplier text COLLATE "C",
  external_account_number text COLLATE "C",
  session_id uuid,
  -- Its beginning.
  hour timestamptz NOT NULL,
  -- The first and the last time.
  at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count integer NOT NULL,
  CONSTRAINT viewer_is_not_empty CHECK (viewer <> ''),
  CONSTRAINT view_is_of_an_account_a_supplier_or_a_session CHECK (
    CASE WHEN action IN ('account.view', 'account.rows', 'document.view')
         THEN num_nulls(import_supplier, external_account_number) = 0 AND session_id IS NULL
         -- Of all accounts of a supplier.
         WHEN action = 'failures.download'
         THEN import_supplier IS NOT NULL AND external_account_number = '' AND session_id IS NULL
         WHEN action IN ('console.sign_in', 'console.sign_out')
         THEN num_nonnulls(import_supplier, external_account_number) = 0 AND session_id IS NOT NULL
         ELSE false
     END),
  CONSTRAINT last_view_is_not_before_the_first CHECK (hour <= at AND at <= last_at AND count > 0)
);

-- What was recorded of an account before it, or all of its supplier, was erased, is left out.
WITH erased AS (
  SELECT import_supplier, external_account_number, max(at) AS at
    FROM audit_entry
   WHERE action IN ('account.erase', 'supplier.erase')
   GROUP BY import_supplier, external_account_number
)
INSERT INTO viewed (viewer, action, import_supplier, external_account_number, hour, at, last_at, count)
SELECT e.operator, e.action, e.import_supplier, e.external_account_number, date_trunc('hour', e.at, 'UTC'),
       min(e.at), max(e.at), count(*)
  FROM audit_entry e
  JOIN import_supplier s ON s.code = e.import_supplier
  JOIN account_import a ON a.import_supplier_id = s.id AND a.external_account_number = e.external_account_number
  LEFT JOIN erased account ON account.import_supplier = e.import_supplier
                          AND account.external_account_number = e.external_account_number
  LEFT JOIN erased supplier ON supplier.import_supplier = e.import_supplier AND supplier.external_account_number IS NULL
 WHERE e.action IN ('account.view', 'account.rows', 'document.view')
   AND e.at > greatest(account.at, supplier.at, '-infinity')
 GROUP BY e.operator, e.action, e.import_supplier, e.external_account_number, date_trunc('hour', e.at, 'UTC');

INSERT INTO viewed (id, viewer, action, session_id, hour, at, last_at, count)
SELECT id, operator, action, subject::uuid, date_trunc('hour', at, 'UTC'), at, at, 1
  FROM audit_entry
 WHERE action IN ('console.sign_in', 'console.sign_out');

-- Also for the erasure of an account.
ALTER TABLE viewed ADD CONSTRAINT views_of_an_hour_are_one_row
  UNIQUE (import_supplier, external_account_number, viewer, action, hour);
-- For the list, newest first, and for what is removed first.
CREATE INDEX viewed_at ON viewed (at, id);
${WITHOUT_TRIGGER(`
DELETE FROM audit_entry
 WHERE action IN ('account.view', 'account.rows', 'document.view', 'console.sign_in', 'console.sign_out');`)}`;

const DOWN = `
INSERT INTO audit_entry (id, at, operator, action, subject, import_supplier, external_account_number, details)
SELECT id, at, viewer, action, coalesce(nullif(external_account_number, ''), session_id::text, import_supplier), import_supplier,
       nullif(external_account_number, ''),
       '{}'
  FROM viewed;
DROP TABLE viewed;
`;

/** Evidence of views, apart from the record of changes (docs/decisions/0018-one-budget-for-each-organisation.md). */
export class Evidence1795824000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
