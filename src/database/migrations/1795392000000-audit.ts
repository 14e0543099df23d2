import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- What operators changed. Rows are only added: a trigger refuses everything else.
CREATE TABLE audit_entry (
  id uuid NOT NULL DEFAULT uuidv7() PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  operator text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  import_supplier text COLLATE "C",
  external_account_number text COLLATE "C",
  details jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT operator_is_not_empty CHECK (operator <> ''),
  CONSTRAINT action_names_what_and_how CHECK (action ~ '^[a-z_]+[.][a-z_]+$'),
  CONSTRAINT details_is_a_json_object CHECK (jsonb_typeof(details) = 'object'),
  CONSTRAINT account_number_only_with_import_supplier
    CHECK (external_account_number IS NULL OR import_supplier IS NOT NULL)
);
-- For the list, newest first, and for the history of one account.
CREATE INDEX audit_entry_at ON audit_entry (at, id);
CREATE INDEX audit_entry_account ON audit_entry (import_supplier, external_account_number, at, id);

INSERT INTO audit_entry (at, operator, action, subject, import_supplier, details)
SELECT c.changed_at, c.changed_by, 'supplier.set', s.code, s.code,
       jsonb_build_object('from', jsonb_build_object('status', c.from_status),
                          'to', jsonb_build_object('status', c.to_status))
  FROM import_supplier_status_change c
  JOIN import_supplier s ON s.id = c.import_supplier_id
 ORDER BY c.changed_at, c.id;
DROP TABLE import_supplier_status_change;

CREATE FUNCTION refuse_change_of_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries cannot be changed or deleted' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER refuse_change_of_audit_entry BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_entry();
`;

const DOWN = `
CREATE TABLE import_supplier_status_change (
  import_supplier_id integer NOT NULL CONSTRAINT import_supplier_exists REFERENCES import_supplier,
  id bigint GENERATED ALWAYS AS IDENTITY,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  PRIMARY KEY (import_supplier_id, id)
);
INSERT INTO import_supplier_status_change (import_supplier_id, changed_at, changed_by, from_status, to_status)
SELECT s.id, e.at, e.operator, e.details -> 'from' ->> 'status', e.details -> 'to' ->> 'status'
  FROM audit_entry e
  JOIN import_supplier s ON s.code = e.import_supplier
 WHERE e.action = 'supplier.set' AND e.details -> 'to' ? 'status'
 ORDER BY e.at, e.id;
DROP TABLE audit_entry;
DROP FUNCTION refuse_change_of_audit_entry();
`;

/** One record of every operator change, which replaces that of the suppliers' status. */
export class Audit1795392000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
