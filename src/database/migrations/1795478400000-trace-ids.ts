import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- The trace of the client that a request belongs to (W3C Trace Context); unset when the client sent none.
ALTER TABLE import_request ADD COLUMN trace_id uuid;
ALTER TABLE import_refusal ADD COLUMN trace_id uuid;
`;

/** The records of import requests, and of refused ones, have the trace id of their client. */
export class TraceIds1795478400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_refusal DROP COLUMN trace_id');
    await runner.query('ALTER TABLE import_request DROP COLUMN trace_id');
  }
}
