import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- How the account compares: what it lacks may still come, what it has too much of or with another sum is wrong.
ALTER TABLE account_control ADD COLUMN state text;

-- Of import requests of transactions: the notes that were pinned for moved ones, which are counted in notes too.
ALTER TABLE supplier_change ADD COLUMN pinned_notes integer;

ALTER TABLE supplier_total
  -- The notes that the service has pinned.
  ADD COLUMN pinned_notes bigint NOT NULL DEFAULT 0,
  -- Accounts with control totals by their state, as they were counted last.
  ADD COLUMN not_imported bigint NOT NULL DEFAULT 0,
  ADD COLUMN incomplete bigint NOT NULL DEFAULT 0,
  ADD COLUMN too_many bigint NOT NULL DEFAULT 0,
  ADD COLUMN wrong_amount bigint NOT NULL DEFAULT 0,
  -- What all accounts together must hold; unset where one of them has no control total of the kind.
  ADD COLUMN expected_notes numeric,
  ADD COLUMN expected_transactions numeric,
  ADD COLUMN expected_statements numeric,
  ADD COLUMN expected_payment_instructions numeric,
  -- Whether that may have changed since it was counted.
  ADD COLUMN is_expected_stale boolean NOT NULL DEFAULT true;
`;

/** By the records of the import requests; what waits for the totals is judged again when it is carried over. */
const JUDGE = `
UPDATE account_control c
   SET state = judged.state
  FROM (
    SELECT k.import_supplier_id, k.external_account_number,
           CASE WHEN NOT k.differs THEN 'agrees'
                WHEN a.status <> 'imported' THEN 'not_imported'
                WHEN coalesce(r.notes, 0) > k.notes OR coalesce(r.transactions, 0) > k.transactions
                  OR coalesce(r.statements, 0) > k.statements
                  OR coalesce(r.payment_instructions, 0) > k.payment_instructions THEN 'too_many'
                WHEN coalesce(r.amount, 0) <> k.amount
                 AND CASE WHEN k.transactions IS NULL THEN coalesce(r.transactions, 0) > 0
                          ELSE coalesce(r.transactions, 0) = k.transactions END THEN 'wrong_amount'
                ELSE 'incomplete' END AS state
      FROM account_control k
      JOIN account_import a
        ON a.import_supplier_id = k.import_supplier_id AND a.external_account_number = k.external_account_number
      LEFT JOIN (
        SELECT import_supplier_id, external_account_number,
               sum(stored) FILTER (WHERE kind = 'notes') AS notes,
               sum(stored) FILTER (WHERE kind = 'transactions') AS transactions,
               sum(stored) FILTER (WHERE kind = 'statements') AS statements,
               sum(stored) FILTER (WHERE kind = 'payment_instruction') AS payment_instructions,
               sum(amount) AS amount
          FROM import_request
         WHERE undone_at IS NULL
         GROUP BY import_supplier_id, external_account_number
      ) AS r ON r.import_supplier_id = k.import_supplier_id AND r.external_account_number = k.external_account_number
  ) AS judged
 WHERE c.import_supplier_id = judged.import_supplier_id AND c.external_account_number = judged.external_account_number;
`;

/** A change that waits has no pinned notes yet, so what it counts is in the sum. They are counted by the next carry-over. */
const COUNT = `
UPDATE supplier_total t
   SET pinned_notes = pinned.notes
  FROM (
    SELECT import_supplier_id, sum(pinned_notes) AS notes
      FROM import_request
     WHERE undone_at IS NULL
     GROUP BY import_supplier_id
  ) AS pinned
 WHERE t.import_supplier_id = pinned.import_supplier_id;
UPDATE supplier_total SET are_controls_stale = true, controls_counted_at = NULL WHERE controlled > 0;
`;

const REPLACE = `
ALTER TABLE account_control
  ALTER COLUMN state SET NOT NULL,
  ADD CONSTRAINT state_is_known CHECK (state IN ('agrees', 'not_imported', 'incomplete', 'too_many', 'wrong_amount'));
DROP INDEX account_control_differing;
ALTER TABLE account_control DROP COLUMN differs;
ALTER TABLE supplier_total DROP COLUMN differing;
CREATE INDEX account_control_differing ON account_control (import_supplier_id, state, external_account_number)
  WHERE state <> 'agrees';
`;

const DOWN = `
ALTER TABLE account_control ADD COLUMN differs boolean;
UPDATE account_control SET differs = state <> 'agrees';
DROP INDEX account_control_differing;
ALTER TABLE account_control ALTER COLUMN differs SET NOT NULL, DROP COLUMN state;
CREATE INDEX account_control_differing ON account_control (import_supplier_id, external_account_number) WHERE differs;
ALTER TABLE supplier_total ADD COLUMN differing bigint NOT NULL DEFAULT 0;
UPDATE supplier_total SET differing = not_imported + incomplete + too_many + wrong_amount;
ALTER TABLE supplier_total
  DROP COLUMN pinned_notes, DROP COLUMN not_imported, DROP COLUMN incomplete, DROP COLUMN too_many, DROP COLUMN wrong_amount,
  DROP COLUMN expected_notes, DROP COLUMN expected_transactions, DROP COLUMN expected_statements,
  DROP COLUMN expected_payment_instructions, DROP COLUMN is_expected_stale;
ALTER TABLE supplier_change DROP COLUMN pinned_notes;
`;

/** How accounts compare with their control totals, and what is expected of a supplier (docs/decisions/0014-totals-behind-the-requests.md). */
export class ControlStates1795996800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
    await runner.query(JUDGE);
    await runner.query(COUNT);
    await runner.query(REPLACE);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
