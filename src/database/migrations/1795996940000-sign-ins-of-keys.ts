import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When somebody last signed in to the console with a key; `last_used_at` is when a token was last obtained with it. */
export class SignInsOfKeys1795996940000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key ADD COLUMN last_signed_in_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_key DROP COLUMN last_signed_in_at');
  }
}
