import type { MigrationInterface, QueryRunner } from 'typeorm';

const AUDIT = `
-- Operator changes. Rows are only added: a trigger rejects everything else.
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
-- The runs and changes of a supplier, newest first, among the entries of its accounts, of which there may be millions; and the
-- end of a run.
CREATE INDEX audit_entry_supplier ON audit_entry (import_supplier, at, id)
 WHERE (external_account_number IS NULL OR details ->> 'run' IS NOT NULL) AND details ->> 'event' IS DISTINCT FROM 'ended';
CREATE INDEX audit_entry_run_ended ON audit_entry ((details ->> 'run')) WHERE details ->> 'event' = 'ended';

CREATE FUNCTION refuse_change_of_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries cannot be changed or deleted' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER refuse_change_of_audit_entry BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_entry();
`;

const EVIDENCE = `
-- Who signed in to the console, and who saw which account: a row for each hour of a viewer, action and account (or supplier), and
-- for each sign-in and sign-out of a session. It contains no text chosen by a client, and is deleted with the account.
CREATE TABLE viewed (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- An operator's name, or the API key of a supplier's admin.
  viewer text NOT NULL,
  action text NOT NULL,
  import_supplier text COLLATE "C",
  external_account_number text COLLATE "C",
  session_id uuid,
  -- The start of the hour.
  hour timestamptz NOT NULL,
  -- The times of the first and the last view.
  at timestamptz NOT NULL,
  last_at timestamptz NOT NULL,
  count integer NOT NULL,
  -- How many of the views came from a link on another site, which the viewer may not have intended.
  from_other_sites integer NOT NULL DEFAULT 0,
  CONSTRAINT viewer_is_not_empty CHECK (viewer <> ''),
  CONSTRAINT view_is_of_an_account_a_supplier_or_a_session CHECK (
    CASE WHEN action IN ('account.view', 'account.rows', 'document.view')
         THEN num_nulls(import_supplier, external_account_number) = 0 AND session_id IS NULL
         -- All accounts of a supplier.
         WHEN action IN ('failures.download', 'feed.read', 'accounts.download', 'documents.download')
         THEN import_supplier IS NOT NULL AND external_account_number = '' AND session_id IS NULL
         WHEN action IN ('console.sign_in', 'console.sign_out')
         THEN num_nonnulls(import_supplier, external_account_number) = 0 AND session_id IS NOT NULL
         ELSE false
     END),
  CONSTRAINT last_view_is_not_before_the_first CHECK (hour <= at AND at <= last_at AND count > 0),
  CONSTRAINT views_from_other_sites_are_among_all CHECK (from_other_sites BETWEEN 0 AND count),
  -- Also used by the erasure of an account.
  CONSTRAINT views_of_an_hour_are_one_row UNIQUE (import_supplier, external_account_number, viewer, action, hour)
);
-- For the list, newest first, and for removing the oldest rows.
CREATE INDEX viewed_at ON viewed (at, id);
-- The views of one supplier.
CREATE INDEX viewed_supplier ON viewed (import_supplier, at, id) WHERE import_supplier IS NOT NULL;
`;

const CONSOLE = `
-- A link that signs an operator in to the console once. The code itself is not stored.
CREATE TABLE console_sign_in_code (
  code_hash bytea PRIMARY KEY,
  operator text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes',
  used_at timestamptz,
  CONSTRAINT code_hash_has_32_bytes CHECK (octet_length(code_hash) = 32),
  CONSTRAINT operator_of_code_is_not_empty CHECK (operator <> ''),
  CONSTRAINT operator_of_code_has_no_name_of_others CHECK (operator !~* '^(person|(api|platform)\\s+key)\\s')
);
CREATE INDEX console_sign_in_code_end ON console_sign_in_code (expires_at);

CREATE TABLE console_session (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  -- Hash of the secret in the cookie, which is not stored.
  secret_hash bytea NOT NULL,
  -- The user is one of three: an operator with a link, an admin with an API key, or a person of the provider.
  operator text,
  api_key_id uuid CONSTRAINT session_api_key_exists REFERENCES api_key,
  -- A person is known by issuer and subject; the name is only shown.
  issuer text,
  subject text,
  person text,
  -- Hash of the state of a person's sign-in, from which one session comes.
  state_hash bytea,
  role text NOT NULL,
  organisation_id uuid CONSTRAINT session_organisation_exists REFERENCES organisation,
  -- The organisation's token version at sign-in. Raising the version also ends the session.
  token_version integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CONSTRAINT session_secret_is_unique UNIQUE (secret_hash),
  CONSTRAINT sign_in_of_a_person_is_one_session UNIQUE (state_hash),
  CONSTRAINT secret_hash_has_32_bytes CHECK (octet_length(secret_hash) = 32),
  CONSTRAINT session_has_one_user CHECK (
    CASE WHEN operator IS NOT NULL
         THEN role = 'operator' AND num_nonnulls(api_key_id, issuer, subject, person, state_hash) = 0
         WHEN api_key_id IS NOT NULL
         THEN role = 'supplier' AND num_nonnulls(issuer, subject, person, state_hash) = 0
         ELSE num_nonnulls(issuer, subject, person, state_hash) = 4
    END),
  CONSTRAINT operator_of_session_is_not_empty CHECK (operator <> ''),
  CONSTRAINT operator_of_session_has_no_name_of_others CHECK (operator !~* '^(person|(api|platform)\\s+key)\\s'),
  CONSTRAINT role_is_known CHECK (role IN ('viewer', 'operator', 'supplier')),
  CONSTRAINT only_suppliers_have_an_organisation CHECK (
    num_nonnulls(organisation_id, token_version) = CASE role WHEN 'supplier' THEN 2 ELSE 0 END)
);
CREATE INDEX console_session_end ON console_session (expires_at);
-- For the number of live sessions of a key, and of a person.
CREATE INDEX console_session_api_key ON console_session (api_key_id, id) WHERE revoked_at IS NULL;
CREATE INDEX console_session_person ON console_session (subject, issuer, id) WHERE revoked_at IS NULL;

-- The last run of each kind that a service process carries out for a supplier, so that its progress can be shown.
CREATE TABLE supplier_run (
  import_supplier text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- The number of accounts or documents that are done, and the total if it is known.
  done bigint NOT NULL DEFAULT 0,
  expected bigint,
  -- When the process of the run last reported that it was alive.
  advanced_at timestamptz NOT NULL DEFAULT now(),
  -- Null while the run is under way, and permanently if its process was killed.
  outcome text,
  PRIMARY KEY (import_supplier, kind),
  CONSTRAINT kind_is_known CHECK (kind IN ('retry', 'documents')),
  CONSTRAINT outcome_is_known CHECK (outcome IN ('complete', 'interrupted', 'failed')),
  CONSTRAINT counts_are_not_negative CHECK (least(done, expected) >= 0)
);
`;

const PLACE = `
-- One row once the embedded database was used: where its files were at that time, so that a move or restore of them is noticed.
CREATE TABLE database_place (
  is_only boolean NOT NULL DEFAULT true PRIMARY KEY,
  place text NOT NULL,
  CONSTRAINT there_is_one_place CHECK (is_only)
);
`;

const DOWN = `
DROP TABLE database_place, supplier_run, console_session, console_sign_in_code, viewed, audit_entry;
DROP FUNCTION refuse_change_of_audit_entry();
`;

/** The record of what operators changed, evidence of views, who is signed in to the console, runs in the background, and where the files are. */
export class AuditAndConsole1795000360000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const part of [AUDIT, EVIDENCE, CONSOLE, PLACE]) await runner.query(part);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
