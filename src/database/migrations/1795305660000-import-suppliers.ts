import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE TABLE import_supplier (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ongoing',
  document_root text NOT NULL,
  document_check text NOT NULL DEFAULT 'deferred',
  customer_emails boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT import_supplier_code_is_unique UNIQUE (code),
  CONSTRAINT code_has_1_to_128_characters CHECK (char_length(code) BETWEEN 1 AND 128),
  CONSTRAINT name_is_not_empty CHECK (name <> ''),
  CONSTRAINT status_is_known CHECK (status IN ('ongoing', 'paused', 'complete')),
  CONSTRAINT document_root_is_not_empty CHECK (document_root <> ''),
  CONSTRAINT document_check_is_known CHECK (document_check IN ('deferred', 'reject'))
);

CREATE TABLE import_supplier_grant (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  organisation_id uuid NOT NULL CONSTRAINT organisation_exists REFERENCES organisation,
  granted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (import_supplier_id, organisation_id)
);
CREATE INDEX import_supplier_grant_organisation ON import_supplier_grant (organisation_id);

CREATE TABLE import_supplier_status_change (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  id bigint GENERATED ALWAYS AS IDENTITY,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  PRIMARY KEY (import_supplier_id, id)
);
`;

const DOWN = `DROP TABLE import_supplier_status_change, import_supplier_grant, import_supplier`;

/** Import suppliers, the organisations that may see them, and the history of their status. */
export class ImportSuppliers1795305660000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
