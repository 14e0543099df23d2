import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CATALOGUE_SEED } from './catalogue-seed.js';

const SUPPLIERS = `
CREATE TABLE import_supplier (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  code text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ongoing',
  document_root text NOT NULL,
  document_check text NOT NULL DEFAULT 'deferred',
  customer_emails boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it was hidden from lists and alerts because its migration was over.
  archived_at timestamptz,
  -- The day on which its customers are taken over.
  cut_over date,
  -- The seconds without a stored row after which missing rows are a problem; null if they never are.
  quiet_after integer DEFAULT 86400,
  CONSTRAINT import_supplier_code_is_unique UNIQUE (code),
  CONSTRAINT code_has_1_to_128_characters CHECK (char_length(code) BETWEEN 1 AND 128),
  CONSTRAINT name_is_not_empty CHECK (name <> ''),
  CONSTRAINT code_and_name_have_no_control_characters CHECK ((code || name) !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]'),
  CONSTRAINT status_is_known CHECK (status IN ('ongoing', 'paused', 'complete')),
  CONSTRAINT document_root_is_not_empty CHECK (document_root <> ''),
  CONSTRAINT document_check_is_known CHECK (document_check IN ('deferred', 'reject')),
  CONSTRAINT quiet_after_is_a_minute_to_a_week CHECK (quiet_after BETWEEN 60 AND 604800),
  CONSTRAINT archived_supplier_is_complete CHECK (archived_at IS NULL OR status = 'complete')
);

CREATE TABLE import_supplier_grant (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  organisation_id uuid NOT NULL CONSTRAINT organisation_exists REFERENCES organisation,
  granted_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (import_supplier_id, organisation_id)
);
CREATE INDEX import_supplier_grant_organisation ON import_supplier_grant (organisation_id);
`;

const CATALOGUES = `
-- The allowed values of fields whose list an operator may extend.
CREATE TABLE catalogue_value (
  field text NOT NULL,
  value text COLLATE "C" NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (field, value),
  CONSTRAINT field_is_known CHECK (field IN ('reason', 'payment_type', 'vendor', 'instruction_type')),
  CONSTRAINT value_has_1_to_128_characters CHECK (char_length(value) BETWEEN 1 AND 128)
)`;

const DOWN = `DROP TABLE catalogue_value, import_supplier_grant, import_supplier`;

/** Import suppliers, the organisations that may see them, and the catalogues with their first values. */
export class SuppliersAndCatalogues1795000060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SUPPLIERS);
    await runner.query(CATALOGUES);
    for (const [field, values] of Object.entries(CATALOGUE_SEED)) {
      await runner.query(`INSERT INTO catalogue_value (field, value) SELECT $1, unnest($2::text[])`, [
        field,
        values,
      ]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
