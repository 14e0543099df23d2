-- The schema of the database, written from its system catalogues by "npm run contract". Do not edit: the migrations in
-- src/infrastructure/database/migrations make it. It is listed by kind and name, so it is for reading and comparing, not for running.

CREATE SEQUENCE service_account_serial AS bigint
  START 1 INCREMENT 1 MINVALUE 0 MAXVALUE 4294967295 CACHE 1 NO CYCLE;

CREATE FUNCTION next_service_account_number()
 RETURNS text
 LANGUAGE sql
AS $function$
  SELECT 'A-' || upper(lpad(to_hex((nextval('service_account_serial') * 1640531527) % 4294967296), 8, '0'))
$function$
;

CREATE FUNCTION note_content_hash(body text, document_paths text[])
 RETURNS bytea
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN substr(sha256(convert_to(
    CASE WHEN body <> '' THEN 'b' || body ELSE 'p' || array_to_string(document_paths, E'\n') END, 'UTF8')), 1, 16);
END $function$
;

CREATE FUNCTION payment_reference_hash(reference text)
 RETURNS bytea
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
BEGIN
  RETURN sha256(convert_to(reference, 'UTF8'));
END $function$
;

CREATE FUNCTION refuse_account_under_erasure()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  refused record;
BEGIN
  -- Nearly always there is none, and the new accounts are not read.
  IF NOT EXISTS (SELECT FROM account_erasure) THEN
    RETURN NULL;
  END IF;
  SELECT e.* INTO refused
    FROM account_erasure e
   WHERE (e.import_supplier_id, e.external_account_number) IN
         (SELECT a.import_supplier_id, a.external_account_number FROM added a)
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'account % of import supplier % is being erased',
      refused.external_account_number, refused.import_supplier_id USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN NULL;
END $function$
;

CREATE FUNCTION refuse_change_of_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'account % of import supplier % cannot be deleted or changed in this way',
    OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE FUNCTION refuse_change_of_audit_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'audit entries cannot be changed or deleted' USING ERRCODE = 'restrict_violation';
END $function$
;

CREATE FUNCTION refuse_deletion_of_imported_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF NOT EXISTS (
    SELECT FROM account_erasure e
     WHERE e.import_supplier_id = OLD.import_supplier_id AND e.external_account_number = OLD.external_account_number
  ) THEN
    RAISE EXCEPTION 'account % of import supplier % can only be erased',
      OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $function$
;

CREATE FUNCTION refuse_deletion_of_supplier_with_accounts()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM account_import a WHERE a.import_supplier_id = OLD.id) THEN
    RAISE EXCEPTION 'import supplier % has accounts', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $function$
;

CREATE FUNCTION refuse_end_of_erasure_with_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF EXISTS (SELECT FROM account_import t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)
     OR EXISTS (SELECT FROM import_request t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)
     OR EXISTS (SELECT FROM note t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)
     OR EXISTS (SELECT FROM transaction t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)
     OR EXISTS (SELECT FROM statement t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number)
     OR EXISTS (SELECT FROM payment_instruction t WHERE t.import_supplier_id = OLD.import_supplier_id
                   AND t.external_account_number = OLD.external_account_number) THEN
    RAISE EXCEPTION 'account % of import supplier % still has rows',
      OLD.external_account_number, OLD.import_supplier_id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $function$
;

CREATE FUNCTION require_import_supplier()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  supplier_id integer;
BEGIN
  FOR supplier_id IN SELECT DISTINCT import_supplier_id FROM added LOOP
    PERFORM FROM import_supplier s WHERE s.id = supplier_id FOR KEY SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'there is no import supplier %', supplier_id USING ERRCODE = 'foreign_key_violation';
    END IF;
  END LOOP;
  RETURN NULL;
END $function$
;

CREATE FUNCTION require_imported_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  missing record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    SELECT account.* INTO missing
      FROM (SELECT DISTINCT import_supplier_id, external_account_number FROM added) AS account
     WHERE (SELECT 1
              FROM account_import a
             WHERE a.import_supplier_id = account.import_supplier_id
               AND a.external_account_number = account.external_account_number
               AND a.status = 'imported'
             LIMIT 1) IS NULL
     LIMIT 1;
  ELSE
    SELECT account.* INTO missing
      FROM (SELECT import_supplier_id, external_account_number FROM added
            EXCEPT
            SELECT import_supplier_id, external_account_number FROM removed) AS account
     WHERE (SELECT 1
              FROM account_import a
             WHERE a.import_supplier_id = account.import_supplier_id
               AND a.external_account_number = account.external_account_number
               AND a.status = 'imported'
             LIMIT 1) IS NULL
     LIMIT 1;
  END IF;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF EXISTS (
    SELECT FROM account_erasure e
     WHERE e.import_supplier_id = missing.import_supplier_id
       AND e.external_account_number = missing.external_account_number
  ) THEN
    RAISE EXCEPTION 'account % of import supplier % is being erased',
      missing.external_account_number, missing.import_supplier_id USING ERRCODE = 'serialization_failure';
  END IF;
  RAISE EXCEPTION 'there is no imported account % of import supplier %',
    missing.external_account_number, missing.import_supplier_id USING ERRCODE = 'foreign_key_violation';
END $function$
;

CREATE TABLE account_control (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  notes bigint,
  transactions bigint,
  amount numeric,
  statements bigint,
  payment_instructions bigint,
  state text NOT NULL,
  CONSTRAINT account_control_pkey PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT account_import_exists FOREIGN KEY (import_supplier_id, external_account_number) REFERENCES account_import(import_supplier_id, external_account_number) ON DELETE CASCADE,
  CONSTRAINT control_counts_are_not_negative CHECK (LEAST(notes, transactions, statements, payment_instructions) >= 0),
  CONSTRAINT control_expects_something CHECK (num_nonnulls(notes, transactions, amount, statements, payment_instructions) > 0),
  CONSTRAINT state_is_known CHECK (state = ANY (ARRAY['agrees'::text, 'not_imported'::text, 'incomplete'::text, 'too_many'::text, 'wrong_amount'::text]))
);

CREATE TABLE account_erasure (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  erasure_id uuid NOT NULL,
  CONSTRAINT account_erasure_pkey PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT erasure_exists FOREIGN KEY (import_supplier_id, erasure_id) REFERENCES erasure(import_supplier_id, id)
);

CREATE TABLE account_import (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  service_account_number text COLLATE "C",
  account_created_at timestamp with time zone,
  open_statement_from date,
  open_statement_to date,
  account jsonb,
  staged_at timestamp with time zone NOT NULL DEFAULT now(),
  failure text,
  failed_at timestamp with time zone,
  CONSTRAINT account_import_pkey PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT account_created_at_if_and_only_if_imported CHECK ((status = 'imported'::text) = (account_created_at IS NOT NULL)),
  CONSTRAINT external_account_number_has_1_to_128_characters CHECK (char_length(external_account_number) >= 1 AND char_length(external_account_number) <= 128),
  CONSTRAINT failure_if_and_only_if_failed CHECK ((status = 'failed'::text) = (failure IS NOT NULL)),
  CONSTRAINT imported_account_has_open_statement_from CHECK (status <> 'imported'::text OR open_statement_from IS NOT NULL),
  CONSTRAINT open_statement_period_does_not_end_before_it_starts CHECK (open_statement_from <= open_statement_to),
  CONSTRAINT service_account_number_if_and_only_if_imported CHECK ((status = 'imported'::text) = (service_account_number IS NOT NULL)),
  CONSTRAINT service_account_number_is_a_and_8_hex_digits CHECK (service_account_number ~ '^A-[0-9A-F]{8}$'::text),
  CONSTRAINT status_is_known CHECK (status = ANY (ARRAY['pending'::text, 'imported'::text, 'failed'::text]))
);

CREATE TABLE api_key (
  id uuid NOT NULL DEFAULT uuidv7(),
  organisation_id uuid NOT NULL,
  handle text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  label text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  last_signed_in_at timestamp with time zone,
  CONSTRAINT api_key_pkey PRIMARY KEY (id),
  CONSTRAINT api_key_handle_is_unique UNIQUE (handle),
  CONSTRAINT organisation_exists FOREIGN KEY (organisation_id) REFERENCES organisation(id),
  CONSTRAINT key_hash_has_32_bytes CHECK (octet_length(key_hash) = 32),
  CONSTRAINT label_has_no_control_characters CHECK (label !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text)
);

CREATE TABLE audit_entry (
  id uuid NOT NULL DEFAULT uuidv7(),
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  operator text NOT NULL,
  action text NOT NULL,
  subject text NOT NULL,
  import_supplier text COLLATE "C",
  external_account_number text COLLATE "C",
  details jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT audit_entry_pkey PRIMARY KEY (id),
  CONSTRAINT account_number_only_with_import_supplier CHECK (external_account_number IS NULL OR import_supplier IS NOT NULL),
  CONSTRAINT action_names_what_and_how CHECK (action ~ '^[a-z_]+[.][a-z_]+$'::text),
  CONSTRAINT details_is_a_json_object CHECK (jsonb_typeof(details) = 'object'::text),
  CONSTRAINT operator_is_not_empty CHECK (operator <> ''::text)
);

CREATE TABLE catalogue_value (
  field text NOT NULL,
  value text COLLATE "C" NOT NULL,
  added_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT catalogue_value_pkey PRIMARY KEY (field, value),
  CONSTRAINT field_is_known CHECK (field = ANY (ARRAY['reason'::text, 'payment_type'::text, 'vendor'::text, 'instruction_type'::text])),
  CONSTRAINT value_has_1_to_128_characters CHECK (char_length(value) >= 1 AND char_length(value) <= 128)
);

CREATE TABLE console_session (
  id uuid NOT NULL DEFAULT uuidv7(),
  secret_hash bytea NOT NULL,
  operator text,
  api_key_id uuid,
  issuer text,
  subject text,
  person text,
  state_hash bytea,
  role text NOT NULL,
  organisation_id uuid,
  token_version integer,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  CONSTRAINT console_session_pkey PRIMARY KEY (id),
  CONSTRAINT session_secret_is_unique UNIQUE (secret_hash),
  CONSTRAINT sign_in_of_a_person_is_one_session UNIQUE (state_hash),
  CONSTRAINT session_api_key_exists FOREIGN KEY (api_key_id) REFERENCES api_key(id),
  CONSTRAINT session_organisation_exists FOREIGN KEY (organisation_id) REFERENCES organisation(id),
  CONSTRAINT only_suppliers_have_an_organisation CHECK (num_nonnulls(organisation_id, token_version) =
CASE role
    WHEN 'supplier'::text THEN 2
    ELSE 0
END),
  CONSTRAINT operator_of_session_has_no_name_of_others CHECK (operator !~* '^(person|(api|platform)\s+key)\s'::text),
  CONSTRAINT operator_of_session_is_not_empty CHECK (operator <> ''::text),
  CONSTRAINT role_is_known CHECK (role = ANY (ARRAY['viewer'::text, 'operator'::text, 'supplier'::text])),
  CONSTRAINT secret_hash_has_32_bytes CHECK (octet_length(secret_hash) = 32),
  CONSTRAINT session_has_one_user CHECK (
CASE
    WHEN operator IS NOT NULL THEN role = 'operator'::text AND num_nonnulls(api_key_id, issuer, subject, person, state_hash) = 0
    WHEN api_key_id IS NOT NULL THEN role = 'supplier'::text AND num_nonnulls(issuer, subject, person, state_hash) = 0
    ELSE num_nonnulls(issuer, subject, person, state_hash) = 4
END)
);

CREATE TABLE console_sign_in_code (
  code_hash bytea NOT NULL,
  operator text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL DEFAULT now() + '00:10:00'::interval,
  used_at timestamp with time zone,
  CONSTRAINT console_sign_in_code_pkey PRIMARY KEY (code_hash),
  CONSTRAINT code_hash_has_32_bytes CHECK (octet_length(code_hash) = 32),
  CONSTRAINT operator_of_code_has_no_name_of_others CHECK (operator !~* '^(person|(api|platform)\s+key)\s'::text),
  CONSTRAINT operator_of_code_is_not_empty CHECK (operator <> ''::text)
);

CREATE TABLE database_place (
  is_only boolean NOT NULL DEFAULT true,
  place text NOT NULL,
  CONSTRAINT database_place_pkey PRIMARY KEY (is_only),
  CONSTRAINT there_is_one_place CHECK (is_only)
);

CREATE TABLE erasure (
  import_supplier_id integer NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  external_account_number text COLLATE "C",
  reason text NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  run_id uuid NOT NULL,
  accounts bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0,
  transactions bigint NOT NULL DEFAULT 0,
  statements bigint NOT NULL DEFAULT 0,
  payment_instructions bigint NOT NULL DEFAULT 0,
  import_requests bigint NOT NULL DEFAULT 0,
  refusals bigint NOT NULL DEFAULT 0,
  CONSTRAINT erasure_pkey PRIMARY KEY (import_supplier_id, id),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id),
  CONSTRAINT reason_is_not_empty CHECK (reason <> ''::text)
);

CREATE TABLE feed (
  import_supplier_id integer NOT NULL,
  last_sequence bigint NOT NULL DEFAULT 0,
  system_identifier bigint,
  timeline integer,
  CONSTRAINT feed_pkey PRIMARY KEY (import_supplier_id),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id),
  CONSTRAINT last_sequence_is_not_negative CHECK (last_sequence >= 0)
);

CREATE TABLE feed_change (
  import_supplier_id integer NOT NULL,
  sequence bigint NOT NULL,
  at timestamp with time zone,
  import_request_id uuid,
  external_account_number text COLLATE "C",
  type text NOT NULL,
  status text,
  CONSTRAINT feed_change_pkey PRIMARY KEY (import_supplier_id, sequence),
  CONSTRAINT account_and_time_are_erased_together CHECK (
CASE
    WHEN type = 'supplier.status_changed'::text THEN at IS NOT NULL AND external_account_number IS NULL
    ELSE (at IS NULL) = (external_account_number IS NULL)
END),
  CONSTRAINT import_request_id_only_with_account CHECK (import_request_id IS NULL OR external_account_number IS NOT NULL),
  CONSTRAINT sequence_is_positive CHECK (sequence > 0),
  CONSTRAINT status_if_and_only_if_it_changed CHECK ((status IS NOT NULL) = (type = 'supplier.status_changed'::text)),
  CONSTRAINT type_is_known CHECK (type = ANY (ARRAY['supplier.status_changed'::text, 'account.imported'::text, 'account.period_changed'::text, 'notes.added'::text, 'transactions.added'::text, 'statements.added'::text, 'payment_instruction.added'::text, 'import.undone'::text, 'account.erased'::text]))
);

CREATE TABLE feed_epoch (
  import_supplier_id integer NOT NULL,
  number integer NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  continues_after bigint NOT NULL,
  began_at timestamp with time zone NOT NULL DEFAULT now(),
  reason text NOT NULL,
  CONSTRAINT feed_epoch_pkey PRIMARY KEY (import_supplier_id, number),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id),
  CONSTRAINT continues_after_is_not_negative CHECK (continues_after >= 0),
  CONSTRAINT number_is_positive CHECK (number > 0),
  CONSTRAINT reason_is_not_empty CHECK (reason <> ''::text)
);

CREATE TABLE feed_reader (
  import_supplier_id integer NOT NULL,
  name text COLLATE "C" NOT NULL,
  platform_key_id uuid NOT NULL,
  sequence bigint NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT feed_reader_pkey PRIMARY KEY (import_supplier_id, name, platform_key_id),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) >= 1 AND char_length(name) <= 128),
  CONSTRAINT sequence_is_not_negative CHECK (sequence >= 0)
);

CREATE TABLE import_lease (
  import_supplier_id integer NOT NULL,
  id uuid NOT NULL DEFAULT uuidv7(),
  first_number text COLLATE "C" NOT NULL,
  last_number text COLLATE "C" NOT NULL,
  held_by text NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT import_lease_pkey PRIMARY KEY (import_supplier_id, id),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id),
  CONSTRAINT first_number_is_not_after_last_number CHECK (first_number <= last_number)
);

CREATE TABLE import_refusal (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  at timestamp with time zone NOT NULL,
  kind text NOT NULL,
  api_key_id uuid NOT NULL,
  request_id text NOT NULL,
  status smallint NOT NULL,
  code text NOT NULL,
  attr text,
  field_code text,
  is_dry_run boolean NOT NULL,
  trace_id uuid,
  value text,
  organisation_id uuid NOT NULL,
  field text GENERATED ALWAYS AS (
CASE
    WHEN field_code = 'unexpected_field'::text THEN NULL::text
    ELSE regexp_replace(attr, '\.[0-9]+(?=\.|$)'::text, ''::text, 'g'::text)
END) STORED,
  cause bigint GENERATED ALWAYS AS (hashtextextended((((((((((kind || ' '::text) || status::text) || ' '::text) || code) || ' '::text) || COALESCE(field_code, ''::text)) || ' '::text) || is_dry_run::text) || ' '::text) || COALESCE(
CASE
    WHEN field_code = 'unexpected_field'::text THEN NULL::text
    ELSE regexp_replace(attr, '\.[0-9]+(?=\.|$)'::text, ''::text, 'g'::text)
END, ''::text), 0::bigint)) STORED,
  items jsonb,
  CONSTRAINT import_refusal_pkey PRIMARY KEY (import_supplier_id, external_account_number, id),
  CONSTRAINT attr_has_at_most_256_characters CHECK (char_length(attr) <= 256),
  CONSTRAINT attr_if_and_only_if_field_code CHECK ((attr IS NULL) = (field_code IS NULL)),
  CONSTRAINT external_account_number_has_at_most_128_characters CHECK (char_length(external_account_number) <= 128),
  CONSTRAINT items_are_an_object CHECK (jsonb_typeof(items) = 'object'::text),
  CONSTRAINT items_are_small CHECK (pg_column_size(items) <= 8192),
  CONSTRAINT kind_is_known CHECK (kind = ANY (ARRAY['notes'::text, 'transactions'::text, 'statements'::text, 'payment_instruction'::text])),
  CONSTRAINT request_id_has_at_most_128_characters CHECK (char_length(request_id) <= 128),
  CONSTRAINT status_is_400_or_404 CHECK (status = ANY (ARRAY[400, 404])),
  CONSTRAINT value_has_at_most_128_characters CHECK (char_length(value) <= 128),
  CONSTRAINT value_only_of_a_field_with_a_closed_set_of_values CHECK (value IS NULL OR NOT field_code IS DISTINCT FROM 'invalid_choice'::text AND attr ~ '(^|\.)(type|reason|payment_type|unit_type|vendor)$'::text)
);

CREATE TABLE import_request (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  api_key_id uuid NOT NULL,
  request_id text NOT NULL,
  stored integer NOT NULL,
  stored_at timestamp with time zone NOT NULL DEFAULT now(),
  pinned_notes integer NOT NULL DEFAULT 0,
  trace_id uuid,
  amount numeric,
  items integer,
  duration_ms integer,
  undone_at timestamp with time zone,
  bytes integer,
  has_unseen_documents boolean,
  CONSTRAINT import_request_pkey PRIMARY KEY (import_supplier_id, external_account_number, id),
  CONSTRAINT kind_is_known CHECK (kind = ANY (ARRAY['notes'::text, 'transactions'::text, 'statements'::text, 'payment_instruction'::text])),
  CONSTRAINT pinned_notes_only_with_transactions CHECK (pinned_notes = 0 OR pinned_notes = 1 AND kind = 'transactions'::text),
  CONSTRAINT stored_is_positive CHECK (stored > 0)
);

CREATE TABLE import_supplier (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  code text COLLATE "C" NOT NULL,
  name text NOT NULL,
  status text NOT NULL DEFAULT 'ongoing'::text,
  document_root text NOT NULL,
  document_check text NOT NULL DEFAULT 'deferred'::text,
  customer_emails boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  archived_at timestamp with time zone,
  cut_over date,
  quiet_after integer DEFAULT 86400,
  CONSTRAINT import_supplier_pkey PRIMARY KEY (id),
  CONSTRAINT import_supplier_code_is_unique UNIQUE (code),
  CONSTRAINT archived_supplier_is_complete CHECK (archived_at IS NULL OR status = 'complete'::text),
  CONSTRAINT code_and_name_have_no_control_characters CHECK ((code || name) !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text),
  CONSTRAINT code_has_1_to_128_characters CHECK (char_length(code) >= 1 AND char_length(code) <= 128),
  CONSTRAINT document_check_is_known CHECK (document_check = ANY (ARRAY['deferred'::text, 'reject'::text])),
  CONSTRAINT document_root_is_not_empty CHECK (document_root <> ''::text),
  CONSTRAINT name_is_not_empty CHECK (name <> ''::text),
  CONSTRAINT quiet_after_is_a_minute_to_a_week CHECK (quiet_after >= 60 AND quiet_after <= 604800),
  CONSTRAINT status_is_known CHECK (status = ANY (ARRAY['ongoing'::text, 'paused'::text, 'complete'::text]))
);

CREATE TABLE import_supplier_grant (
  import_supplier_id integer NOT NULL,
  organisation_id uuid NOT NULL,
  granted_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT import_supplier_grant_pkey PRIMARY KEY (import_supplier_id, organisation_id),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id),
  CONSTRAINT organisation_exists FOREIGN KEY (organisation_id) REFERENCES organisation(id)
);

CREATE TABLE note (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  content_hash bytea NOT NULL GENERATED ALWAYS AS (note_content_hash(body, document_paths)) STORED,
  key_time timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  created_at_sent boolean NOT NULL,
  import_request_id uuid NOT NULL,
  body text NOT NULL,
  document_paths text[] NOT NULL DEFAULT '{}'::text[],
  document_locations text[] NOT NULL DEFAULT '{}'::text[],
  is_pinned boolean NOT NULL,
  unpin_at timestamp with time zone,
  documents_seen_at timestamp with time zone,
  unseen_document_paths text[],
  CONSTRAINT note_pkey PRIMARY KEY (import_supplier_id, external_account_number, content_hash, key_time),
  CONSTRAINT as_many_document_locations_as_paths CHECK (cardinality(document_locations) = cardinality(document_paths)),
  CONSTRAINT body_has_at_most_50000_characters CHECK (char_length(body) <= 50000),
  CONSTRAINT documents_seen_at_only_with_documents CHECK (documents_seen_at IS NULL OR cardinality(document_locations) > 0),
  CONSTRAINT key_time_is_infinite_or_sent_created_at CHECK (key_time = '-infinity'::timestamp with time zone OR created_at_sent AND key_time = created_at),
  CONSTRAINT note_has_body_or_document CHECK (body <> ''::text OR cardinality(document_paths) > 0),
  CONSTRAINT unpin_at_is_not_before_sent_created_at CHECK (unpin_at >= created_at OR NOT created_at_sent),
  CONSTRAINT unseen_document_paths_are_some_of_document_paths CHECK (unseen_document_paths IS NULL OR documents_seen_at IS NULL AND unseen_document_paths <@ document_paths AND cardinality(unseen_document_paths) > 0)
);

CREATE TABLE organisation (
  id uuid NOT NULL DEFAULT uuidv7(),
  name text NOT NULL,
  token_version integer NOT NULL DEFAULT 1,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT organisation_pkey PRIMARY KEY (id),
  CONSTRAINT organisation_name_is_unique UNIQUE (name),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) >= 1 AND char_length(name) <= 128),
  CONSTRAINT name_has_no_control_characters CHECK (name !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text)
);

CREATE TABLE payment_instruction (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  vendor text COLLATE "C" NOT NULL,
  reference_hash bytea NOT NULL GENERATED ALWAYS AS (payment_reference_hash(reference)) STORED,
  import_request_id uuid NOT NULL,
  reference text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  details jsonb NOT NULL,
  verified_at timestamp with time zone NOT NULL,
  CONSTRAINT payment_instruction_pkey PRIMARY KEY (import_supplier_id, external_account_number, vendor, reference_hash),
  CONSTRAINT details_contain_no_card_number CHECK (details::text !~ '([0-9][ -]?){12}'::text),
  CONSTRAINT details_is_a_json_object CHECK (jsonb_typeof(details) = 'object'::text),
  CONSTRAINT reference_has_1_to_512_characters CHECK (char_length(reference) >= 1 AND char_length(reference) <= 512),
  CONSTRAINT type_has_1_to_128_characters CHECK (char_length(type) >= 1 AND char_length(type) <= 128),
  CONSTRAINT vendor_has_1_to_128_characters CHECK (char_length(vendor) >= 1 AND char_length(vendor) <= 128)
);

CREATE TABLE platform_key (
  id uuid NOT NULL DEFAULT uuidv7(),
  handle text COLLATE "C" NOT NULL,
  key_hash bytea NOT NULL,
  name text NOT NULL,
  import_supplier_id integer,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT platform_key_pkey PRIMARY KEY (id),
  CONSTRAINT platform_key_handle_is_unique UNIQUE (handle),
  CONSTRAINT key_hash_has_32_bytes CHECK (octet_length(key_hash) = 32),
  CONSTRAINT name_has_1_to_128_characters CHECK (char_length(name) >= 1 AND char_length(name) <= 128),
  CONSTRAINT name_has_no_control_characters CHECK (name !~ '[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]'::text)
);

CREATE UNLOGGED TABLE rate_limit (
  subject text NOT NULL,
  theoretical_arrival_at timestamp with time zone NOT NULL,
  CONSTRAINT rate_limit_pkey PRIMARY KEY (subject)
);

CREATE TABLE statement (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  statement_id text COLLATE "C" NOT NULL,
  bill_period_from_date date NOT NULL,
  bill_period_to_date date NOT NULL,
  issued_date date,
  number text COLLATE "C",
  gross_amount numeric,
  statement_path text,
  document_location text,
  document_seen_at timestamp with time zone,
  import_request_id uuid NOT NULL,
  CONSTRAINT statement_pkey PRIMARY KEY (import_supplier_id, external_account_number, statement_id),
  CONSTRAINT bill_period_does_not_end_before_it_starts CHECK (bill_period_from_date <= bill_period_to_date),
  CONSTRAINT document_location_if_and_only_if_statement_path CHECK ((statement_path IS NULL) = (document_location IS NULL)),
  CONSTRAINT document_seen_at_only_with_document CHECK (document_seen_at IS NULL OR document_location IS NOT NULL),
  CONSTRAINT gross_amount_has_at_most_10_decimals CHECK (scale(gross_amount) <= 10),
  CONSTRAINT number_has_1_to_128_characters CHECK (char_length(number) >= 1 AND char_length(number) <= 128),
  CONSTRAINT statement_id_has_1_to_128_characters CHECK (char_length(statement_id) >= 1 AND char_length(statement_id) <= 128),
  CONSTRAINT statement_path_has_1_to_1024_bytes CHECK (octet_length(statement_path) >= 1 AND octet_length(statement_path) <= 1024)
);

CREATE TABLE supplier_change (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C",
  at timestamp with time zone NOT NULL DEFAULT now(),
  requests integer,
  notes integer,
  transactions integer,
  statements integer,
  payment_instructions integer,
  amount numeric,
  pending integer,
  imported integer,
  failed integer,
  type text,
  import_request_id uuid,
  status text,
  pinned_notes integer
);

CREATE TABLE supplier_minute (
  import_supplier_id integer NOT NULL,
  minute timestamp with time zone NOT NULL,
  requests integer NOT NULL,
  notes integer NOT NULL,
  transactions integer NOT NULL,
  statements integer NOT NULL,
  payment_instructions integer NOT NULL,
  imported integer NOT NULL,
  failed integer NOT NULL,
  CONSTRAINT supplier_minute_pkey PRIMARY KEY (import_supplier_id, minute),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id) ON DELETE CASCADE,
  CONSTRAINT counts_are_not_negative CHECK (LEAST(requests, notes, transactions, statements, payment_instructions, imported, failed) >= 0)
);

CREATE TABLE supplier_run (
  import_supplier text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  id uuid NOT NULL,
  started_at timestamp with time zone NOT NULL DEFAULT now(),
  done bigint NOT NULL DEFAULT 0,
  expected bigint,
  advanced_at timestamp with time zone NOT NULL DEFAULT now(),
  outcome text,
  CONSTRAINT supplier_run_pkey PRIMARY KEY (import_supplier, kind),
  CONSTRAINT counts_are_not_negative CHECK (LEAST(done, expected) >= 0),
  CONSTRAINT kind_is_known CHECK (kind = ANY (ARRAY['retry'::text, 'documents'::text])),
  CONSTRAINT outcome_is_known CHECK (outcome = ANY (ARRAY['complete'::text, 'interrupted'::text, 'failed'::text]))
);

CREATE TABLE supplier_total (
  import_supplier_id integer NOT NULL,
  requests bigint NOT NULL DEFAULT 0,
  loaded_accounts bigint NOT NULL DEFAULT 0,
  notes bigint NOT NULL DEFAULT 0,
  transactions bigint NOT NULL DEFAULT 0,
  statements bigint NOT NULL DEFAULT 0,
  payment_instructions bigint NOT NULL DEFAULT 0,
  amount numeric NOT NULL DEFAULT 0.00,
  pending bigint NOT NULL DEFAULT 0,
  imported bigint NOT NULL DEFAULT 0,
  failed bigint NOT NULL DEFAULT 0,
  last_request_at timestamp with time zone,
  controlled bigint NOT NULL DEFAULT 0,
  controls_counted_at timestamp with time zone,
  controls_as_of timestamp with time zone,
  are_controls_stale boolean NOT NULL DEFAULT false,
  pinned_notes bigint NOT NULL DEFAULT 0,
  not_imported bigint NOT NULL DEFAULT 0,
  incomplete bigint NOT NULL DEFAULT 0,
  too_many bigint NOT NULL DEFAULT 0,
  wrong_amount bigint NOT NULL DEFAULT 0,
  expected_notes numeric,
  expected_transactions numeric,
  expected_statements numeric,
  expected_payment_instructions numeric,
  is_expected_stale boolean NOT NULL DEFAULT true,
  documents_looked_up_before uuid,
  CONSTRAINT supplier_total_pkey PRIMARY KEY (import_supplier_id),
  CONSTRAINT import_supplier_exists FOREIGN KEY (import_supplier_id) REFERENCES import_supplier(id) ON DELETE CASCADE
);

CREATE TABLE transaction (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  transaction_id text COLLATE "C" NOT NULL,
  occurrence bigint NOT NULL DEFAULT 0,
  import_request_id uuid NOT NULL,
  transaction_date date NOT NULL,
  sent_date date,
  amount numeric(14,2) NOT NULL,
  type text NOT NULL,
  reason text,
  reference text,
  payment_type text,
  display_note text,
  note text,
  product_code text,
  line_items json,
  tax_items json,
  sent_note text,
  CONSTRAINT transaction_pkey PRIMARY KEY (import_supplier_id, external_account_number, transaction_id, occurrence),
  CONSTRAINT line_items_is_a_json_array CHECK (json_typeof(line_items) = 'array'::text),
  CONSTRAINT sent_date_differs_from_transaction_date CHECK (sent_date <> transaction_date),
  CONSTRAINT supply_charge_has_product_code_and_line_items CHECK (type <> 'SUPPLY_CHARGE'::text OR product_code IS NOT NULL AND line_items IS NOT NULL),
  CONSTRAINT tax_items_is_a_json_array CHECK (json_typeof(tax_items) = 'array'::text),
  CONSTRAINT transaction_id_has_1_to_128_characters CHECK (char_length(transaction_id) >= 1 AND char_length(transaction_id) <= 128),
  CONSTRAINT type_is_known CHECK (type = ANY (ARRAY['CHARGE'::text, 'CREDIT'::text, 'PAYMENT'::text, 'REPAYMENT'::text, 'SUPPLY_CHARGE'::text]))
);

CREATE TABLE unloaded_account (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  CONSTRAINT unloaded_account_pkey PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT account_import_exists FOREIGN KEY (import_supplier_id, external_account_number) REFERENCES account_import(import_supplier_id, external_account_number) ON DELETE CASCADE
);

CREATE TABLE viewed (
  id uuid NOT NULL DEFAULT uuidv7(),
  viewer text NOT NULL,
  action text NOT NULL,
  import_supplier text COLLATE "C",
  external_account_number text COLLATE "C",
  session_id uuid,
  hour timestamp with time zone NOT NULL,
  at timestamp with time zone NOT NULL,
  last_at timestamp with time zone NOT NULL,
  count integer NOT NULL,
  from_other_sites integer NOT NULL DEFAULT 0,
  CONSTRAINT viewed_pkey PRIMARY KEY (id),
  CONSTRAINT views_of_an_hour_are_one_row UNIQUE (import_supplier, external_account_number, viewer, action, hour),
  CONSTRAINT last_view_is_not_before_the_first CHECK (hour <= at AND at <= last_at AND count > 0),
  CONSTRAINT view_is_of_an_account_a_supplier_or_a_session CHECK (
CASE
    WHEN action = ANY (ARRAY['account.view'::text, 'account.rows'::text, 'document.view'::text]) THEN num_nulls(import_supplier, external_account_number) = 0 AND session_id IS NULL
    WHEN action = ANY (ARRAY['failures.download'::text, 'feed.read'::text, 'accounts.download'::text, 'documents.download'::text]) THEN import_supplier IS NOT NULL AND external_account_number = ''::text AND session_id IS NULL
    WHEN action = ANY (ARRAY['console.sign_in'::text, 'console.sign_out'::text]) THEN num_nonnulls(import_supplier, external_account_number) = 0 AND session_id IS NOT NULL
    ELSE false
END),
  CONSTRAINT viewer_is_not_empty CHECK (viewer <> ''::text),
  CONSTRAINT views_from_other_sites_are_among_all CHECK (from_other_sites >= 0 AND from_other_sites <= count)
);

CREATE INDEX account_control_differing ON account_control USING btree (import_supplier_id, state, external_account_number) WHERE state <> 'agrees'::text;
CREATE INDEX account_import_failed ON account_import USING btree (import_supplier_id, failed_at DESC NULLS LAST, external_account_number DESC) WHERE status = 'failed'::text;
CREATE INDEX account_import_failure ON account_import USING btree (import_supplier_id, regexp_replace(failure, '\d{4}-\d{2}-\d{2}'::text, '…'::text, 'g'::text) COLLATE "C", external_account_number) INCLUDE (failure, failed_at) WHERE status = 'failed'::text;
CREATE INDEX account_import_imported ON account_import USING btree (import_supplier_id, external_account_number) WHERE account_created_at IS NOT NULL;
CREATE INDEX account_import_not_imported ON account_import USING btree (import_supplier_id, external_account_number, status) WHERE status <> 'imported'::text;
CREATE INDEX account_import_pending_since ON account_import USING btree (import_supplier_id, staged_at) WHERE status = 'pending'::text;
CREATE INDEX account_import_staged_object ON account_import USING btree (import_supplier_id, account_created_at) WHERE account_created_at IS NOT NULL AND account IS NOT NULL;
CREATE UNIQUE INDEX service_account_number_is_unique ON account_import USING btree (service_account_number) WHERE service_account_number IS NOT NULL;
CREATE INDEX api_key_organisation ON api_key USING btree (organisation_id);
CREATE INDEX audit_entry_account ON audit_entry USING btree (import_supplier, external_account_number, at, id);
CREATE INDEX audit_entry_at ON audit_entry USING btree (at, id);
CREATE INDEX audit_entry_run_ended ON audit_entry USING btree ((details ->> 'run'::text)) WHERE (details ->> 'event'::text) = 'ended'::text;
CREATE INDEX audit_entry_supplier ON audit_entry USING btree (import_supplier, at, id) WHERE (external_account_number IS NULL OR (details ->> 'run'::text) IS NOT NULL) AND (details ->> 'event'::text) IS DISTINCT FROM 'ended'::text;
CREATE INDEX console_session_api_key ON console_session USING btree (api_key_id, id) WHERE revoked_at IS NULL;
CREATE INDEX console_session_end ON console_session USING btree (expires_at);
CREATE INDEX console_session_person ON console_session USING btree (subject, issuer, id) WHERE revoked_at IS NULL;
CREATE INDEX console_sign_in_code_end ON console_sign_in_code USING btree (expires_at);
CREATE UNIQUE INDEX erasure_of_an_account_is_unique ON erasure USING btree (import_supplier_id, external_account_number) NULLS NOT DISTINCT;
CREATE INDEX feed_change_at ON feed_change USING brin (at) WITH (pages_per_range='32', autosummarize='on');
CREATE INDEX feed_change_of_account ON feed_change USING btree (import_supplier_id, external_account_number) WHERE type = ANY (ARRAY['account.imported'::text, 'account.period_changed'::text]);
CREATE INDEX feed_change_undone ON feed_change USING btree (import_supplier_id, import_request_id) WHERE type = 'import.undone'::text;
CREATE INDEX import_refusal_at ON import_refusal USING btree (import_supplier_id, at);
CREATE INDEX import_refusal_cause ON import_refusal USING btree (import_supplier_id, cause, external_account_number, id) INCLUDE (at, value, api_key_id);
CREATE INDEX import_refusal_organisation ON import_refusal USING btree (import_supplier_id, organisation_id, at);
CREATE INDEX import_refusal_request_id ON import_refusal USING btree (import_supplier_id, request_id text_pattern_ops);
CREATE INDEX import_request_request_id ON import_request USING btree (import_supplier_id, request_id text_pattern_ops);
CREATE INDEX import_request_stored_at ON import_request USING btree (import_supplier_id, stored_at);
CREATE INDEX import_request_unseen_documents ON import_request USING btree (import_supplier_id, kind, id) WHERE has_unseen_documents;
CREATE INDEX import_supplier_grant_organisation ON import_supplier_grant USING btree (organisation_id);
CREATE INDEX transaction_without_duplicate_check ON transaction USING btree (import_supplier_id, external_account_number) WHERE occurrence <> 0;
CREATE INDEX viewed_at ON viewed USING btree (at, id);
CREATE INDEX viewed_supplier ON viewed USING btree (import_supplier, at, id) WHERE import_supplier IS NOT NULL;

CREATE TRIGGER refuse_end_of_erasure_with_rows BEFORE DELETE ON account_erasure FOR EACH ROW EXECUTE FUNCTION refuse_end_of_erasure_with_rows();
CREATE TRIGGER refuse_account_under_erasure AFTER INSERT ON account_import REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_account_under_erasure();
CREATE TRIGGER refuse_change_of_supplier_or_imported_account BEFORE UPDATE ON account_import FOR EACH ROW WHEN (new.import_supplier_id <> old.import_supplier_id OR old.status = 'imported'::text AND (new.status <> 'imported'::text OR new.external_account_number <> old.external_account_number OR new.service_account_number <> old.service_account_number)) EXECUTE FUNCTION refuse_change_of_account();
CREATE TRIGGER refuse_deletion_of_imported_account BEFORE DELETE ON account_import FOR EACH ROW WHEN (old.status = 'imported'::text) EXECUTE FUNCTION refuse_deletion_of_imported_account();
CREATE TRIGGER require_import_supplier_on_insert AFTER INSERT ON account_import REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_import_supplier();
CREATE TRIGGER refuse_change_of_audit_entry BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit_entry();
CREATE TRIGGER refuse_deletion_of_supplier_with_accounts BEFORE DELETE ON import_supplier FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_supplier_with_accounts();
CREATE TRIGGER require_imported_account_on_insert AFTER INSERT ON note REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_update AFTER UPDATE ON note REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_insert AFTER INSERT ON payment_instruction REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_update AFTER UPDATE ON payment_instruction REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_insert AFTER INSERT ON statement REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_update AFTER UPDATE ON statement REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_insert AFTER INSERT ON transaction REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
CREATE TRIGGER require_imported_account_on_update AFTER UPDATE ON transaction REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION require_imported_account();
