import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- For the number of live sessions of a key.
CREATE INDEX console_session_api_key ON console_session (api_key_id, id) WHERE revoked_at IS NULL;
`;

/** A key has a maximum of live sessions in the console. */
export class SessionsOfKeys1795824020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX console_session_api_key');
  }
}
