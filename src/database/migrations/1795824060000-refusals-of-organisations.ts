import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Elements of one list are one field: `statements.0.number` and `statements.5.number` are `statements.number`. */
const FIELD = `regexp_replace(attr, '\\.[0-9]+(?=\\.|$)', '', 'g')`;

/** The client has invented the name of an undocumented field: all of them are one cause, which has no field. */
const KNOWN_FIELD = `CASE WHEN field_code = 'unexpected_field' THEN NULL ELSE ${FIELD} END`;

/** What refusals of one cause have in common. @param field SQL for the field */
const cause = (field: string): string =>
  [
    'kind',
    'status::text',
    'code',
    `coalesce(field_code, '')`,
    'is_dry_run::text',
    `coalesce(${field}, '')`,
  ].join(` || ' ' || `);

/** The columns are made again: on several nodes the expression of one cannot be changed. */
const columns = (field: string): string => `
ALTER TABLE import_refusal DROP COLUMN cause, DROP COLUMN field;
ALTER TABLE import_refusal
  ADD COLUMN field text GENERATED ALWAYS AS (${field}) STORED,
  ADD COLUMN cause bigint GENERATED ALWAYS AS (hashtextextended(${cause(field)}, 0)) STORED;
`;

const UP = `
-- Whose it is: so many are kept of each organisation, so that none removes another one's.
ALTER TABLE import_refusal ADD COLUMN organisation_id uuid;
UPDATE import_refusal r SET organisation_id = k.organisation_id FROM api_key k WHERE k.id = r.api_key_id;
DELETE FROM import_refusal WHERE organisation_id IS NULL;
ALTER TABLE import_refusal ALTER COLUMN organisation_id SET NOT NULL;
${columns(KNOWN_FIELD)}
CREATE INDEX import_refusal_cause ON import_refusal (import_supplier_id, cause, external_account_number, id)
  INCLUDE (at, value, api_key_id);
CREATE INDEX import_refusal_organisation ON import_refusal (import_supplier_id, organisation_id, at);
`;

const DOWN = `
${columns(FIELD)}
CREATE INDEX import_refusal_cause ON import_refusal (import_supplier_id, cause, external_account_number, id)
  INCLUDE (at, value);
ALTER TABLE import_refusal DROP COLUMN organisation_id;
`;

/** Refusals belong to organisations, and undocumented fields are one cause (docs/decisions/0018-*.md). */
export class RefusalsOfOrganisations1795824060000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
