import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- The last retry of the failed accounts of each supplier that runs in a service process, for those who wait for it.
CREATE TABLE retry_run (
  import_supplier text COLLATE "C" PRIMARY KEY,
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- Accounts that are pending again so far, and when the last of them were put back.
  pending bigint NOT NULL DEFAULT 0,
  advanced_at timestamptz NOT NULL DEFAULT now(),
  -- Null while it runs, and for ever when its process was killed.
  outcome text,
  CONSTRAINT outcome_is_known CHECK (outcome IN ('complete', 'interrupted', 'failed')),
  CONSTRAINT pending_is_not_negative CHECK (pending >= 0)
);
`;

/** Retries that run in the background (choice C9). */
export class RetryRuns1795824080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE retry_run');
  }
}
