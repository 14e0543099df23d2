import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Elements of one list are one field: `statements.0.number` and `statements.5.number` are `statements.number`. */
const FIELD = `regexp_replace(attr, '\\.[0-9]+(?=\\.|$)', '', 'g')`;

/** What refusals of one cause have in common. */
const CAUSE = [
  'kind',
  'status::text',
  'code',
  `coalesce(field_code, '')`,
  'is_dry_run::text',
  `coalesce(${FIELD}, '')`,
];

const UP = `
ALTER TABLE import_refusal
  -- What was sent in a field with a closed set of values. Of no other field is the value kept.
  ADD COLUMN value text,
  ADD COLUMN field text GENERATED ALWAYS AS (${FIELD}) STORED,
  ADD COLUMN cause bigint GENERATED ALWAYS AS (hashtextextended(${CAUSE.join(` || ' ' || `)}, 0)) STORED,
  ADD CONSTRAINT value_has_at_most_128_characters CHECK (char_length(value) <= 128),
  ADD CONSTRAINT value_only_of_a_field_with_a_closed_set_of_values
    CHECK (value IS NULL OR field_code IS NOT DISTINCT FROM 'invalid_choice'
                            AND attr ~ '(^|\\.)(type|reason|payment_type|unit_type|vendor)$');

-- The refusals of a supplier by cause, and those of one cause by account, with everything that is counted.
CREATE INDEX import_refusal_cause ON import_refusal (import_supplier_id, cause, external_account_number, id)
  INCLUDE (at, value);

-- The failed accounts of a supplier by cause: the sentence without its days. A failure is a short sentence of the service, so
-- that it fits.
CREATE INDEX account_import_failure
    ON account_import (import_supplier_id, (regexp_replace(failure, '\\d{4}-\\d{2}-\\d{2}', '…', 'g') COLLATE "C"),
                       external_account_number)
  INCLUDE (failure, failed_at)
  WHERE status = 'failed';
`;

const DOWN = `
DROP INDEX account_import_failure, import_refusal_cause;
ALTER TABLE import_refusal DROP COLUMN cause, DROP COLUMN field, DROP COLUMN value;
`;

/** The refused values of some fields, and what refusals and failed imports are grouped by. */
export class RefusedValues1795564860000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
