import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many of the views of an hour a link of another site began, which a viewer may not have meant (choice C1). */
export class ViewsFromOtherSites1795996810000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE viewed
         ADD COLUMN from_other_sites integer NOT NULL DEFAULT 0,
         ADD CONSTRAINT views_from_other_sites_are_among_all CHECK (from_other_sites BETWEEN 0 AND count)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE viewed DROP COLUMN from_other_sites');
  }
}
