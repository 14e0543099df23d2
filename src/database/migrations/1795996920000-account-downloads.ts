import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a view is of, by its action. */
const VIEW_IS_OF = (actionsOfSupplier: string): string => `
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

/** Who has downloaded a list of accounts (choices C10, O6). */
export class AccountDownloads1795996920000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(VIEW_IS_OF(`'failures.download', 'feed.read', 'accounts.download'`));
  }

  /** Evidence of what is not there any more has no place in the table. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM viewed WHERE action = 'accounts.download'`);
    await runner.query(VIEW_IS_OF(`'failures.download', 'feed.read'`));
  }
}
