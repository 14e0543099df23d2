import type { MigrationInterface, QueryRunner } from 'typeorm';

/** In a transaction of its own, so that imports of an earlier version which is still running wait for no lock of the table. */
const UP = `
UPDATE import_request r
   SET pinned_notes = 1
  FROM note n
 WHERE n.import_supplier_id = r.import_supplier_id
   AND n.external_account_number = r.external_account_number
   AND n.import_request_id = r.id
   AND n.is_pinned
   AND r.kind = 'transactions';
`;

/** The pinned notes of requests that were recorded before they were counted. */
export class CountPinnedNotes1795392091000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}
