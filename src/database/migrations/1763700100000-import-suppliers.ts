import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Import suppliers, who may see them, and the record of their status changes. */
export class ImportSuppliers1763700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_supplier (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        code text COLLATE "C" NOT NULL UNIQUE CHECK (char_length(code) BETWEEN 1 AND 128),
        name text NOT NULL CHECK (name <> ''),
        status text NOT NULL DEFAULT 'ongoing' CHECK (status IN ('ongoing', 'paused', 'complete')),
        document_root text NOT NULL CHECK (document_root <> ''),
        document_check text NOT NULL DEFAULT 'deferred' CHECK (document_check IN ('deferred', 'reject')),
        customer_emails boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE import_supplier_grant (
        import_supplier_id integer NOT NULL REFERENCES import_supplier,
        organisation_id uuid NOT NULL REFERENCES organisation,
        granted_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (import_supplier_id, organisation_id)
      )`);
    await runner.query(
      `CREATE INDEX import_supplier_grant_organisation ON import_supplier_grant (organisation_id)`,
    );
    await runner.query(`
      CREATE TABLE import_supplier_status_change (
        import_supplier_id integer NOT NULL REFERENCES import_supplier,
        id bigint GENERATED ALWAYS AS IDENTITY,
        changed_at timestamptz NOT NULL DEFAULT now(),
        changed_by text NOT NULL,
        from_status text NOT NULL,
        to_status text NOT NULL,
        PRIMARY KEY (import_supplier_id, id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE import_supplier_status_change, import_supplier_grant, import_supplier`);
  }
}
