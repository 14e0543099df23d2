import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- Imported accounts without any import request that is not undone, as far as changes are in the totals.
CREATE TABLE unloaded_account (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  PRIMARY KEY (import_supplier_id, external_account_number),
  -- Nothing of an account is left when it is erased.
  CONSTRAINT account_import_exists FOREIGN KEY (import_supplier_id, external_account_number)
    REFERENCES account_import (import_supplier_id, external_account_number) ON DELETE CASCADE
);
INSERT INTO unloaded_account (import_supplier_id, external_account_number)
SELECT a.import_supplier_id, a.external_account_number
  FROM account_import a
 WHERE a.status = 'imported'
   AND NOT EXISTS (
     SELECT FROM import_request r
      WHERE r.import_supplier_id = a.import_supplier_id AND r.external_account_number = a.external_account_number
        AND r.undone_at IS NULL);

-- The status is in the index, so that a list of the pending or the failed accounts reads no row of the others.
DROP INDEX account_import_not_imported;
CREATE INDEX account_import_not_imported ON account_import (import_supplier_id, external_account_number, status)
  WHERE status <> 'imported';
`;

const DOWN = `
DROP INDEX account_import_not_imported;
CREATE INDEX account_import_not_imported ON account_import (import_supplier_id, external_account_number)
  WHERE status <> 'imported';
DROP TABLE unloaded_account;
`;

/** What lists of accounts begin with (docs/decisions/0014-totals-behind-the-requests.md, 0015-pages-of-the-console.md). */
export class UnloadedAccounts1795996860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
