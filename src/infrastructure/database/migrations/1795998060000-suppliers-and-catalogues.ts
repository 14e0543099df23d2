import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The values that every database starts with: those in the specification, and the generic ones of choice X3. An operator may add
 * more.
 */
export const CATALOGUE_SEED: Readonly<Record<string, readonly string[]>> = {
  reason: [
    ...['ACCOUNT_CHARGE_PAYMENT', 'BALANCE_ADJUSTMENT', 'BALANCE_THRESHOLD_CROSSED', 'BALANCE_TRANSFER'],
    ...['BILLING_ADJUSTMENT', 'BILL_ISSUED', 'CANCELED_BILL', 'CHARGEBACK', 'COMPLAINT_COMPENSATION'],
    ...[
      'DATA_IMPORT_BALANCE_TRANSFER',
      'DEBT_REPAYMENT',
      'DEFAULT',
      'DEPOSIT',
      'DEPOSIT_RETURN',
      'FAILED_PAYMENT',
    ],
    ...['FINAL_BALANCE_SETTLEMENT', 'FULL_CREDIT_REFUND', 'FULL_PREPAYMENT_REFUND', 'GENERAL_CREDIT'],
    ...['GOODWILL_PAYMENT', 'IMPORTED_CHARGE', 'IMPORTED_CREDIT', 'INDEMNITY_CLAIM', 'LATE_FAILED_PAYMENT'],
    ...['LATE_PAYMENT_FEE_CHARGE', 'LOYALTY_REWARD', 'MIGRATION_ADJUSTMENT', 'MISTAKEN_PAYMENT_TAKEN'],
    ...['PARTIAL_CREDIT_REFUND', 'PARTIAL_REPAYMENT_REFUND', 'PAYMENT_CORRECTION', 'PAYMENT_PLAN'],
    ...['PREPAY_DEBT_ADJUSTMENT', 'PREPAY_RECORD', 'REFUND', 'REGULAR_SCHEDULE', 'REPAYMENT_CORRECTION'],
    ...['REVERSED_ACCOUNT_CHARGE', 'REVERSED_ACCOUNT_CREDIT', 'SETTLEMENT', 'WRITE_BACK'],
  ],
  payment_type: [
    ...[
      'BACS',
      'BACS_DEPOSIT',
      'BPAY',
      'CARD_REFUND',
      'CASH',
      'CHEQUE',
      'CREDIT_CARD',
      'DD_FINAL_COLLECTION',
    ],
    ...[
      'DD_FIRST_COLLECTION',
      'DD_REGULAR_COLLECTION',
      'DD_RE_PRESENTATION',
      'DEBIT_CARD',
      'DIRECT_CREDIT',
      'EFT',
    ],
    'ERRONEOUS_PAYMENT',
  ],
  vendor: ['GOCARDLESS', 'SANDBOX', 'STRIPE'],
  instruction_type: ['BPAY', 'CARD', 'CUSTOM', 'DIRECT_DEBIT', 'PAYMENT_SLIP'],
};

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
  CONSTRAINT import_supplier_code_is_unique UNIQUE (code),
  CONSTRAINT code_has_1_to_128_characters CHECK (char_length(code) BETWEEN 1 AND 128),
  CONSTRAINT name_is_not_empty CHECK (name <> ''),
  CONSTRAINT code_and_name_have_no_control_characters CHECK ((code || name) !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]'),
  CONSTRAINT status_is_known CHECK (status IN ('ongoing', 'paused', 'complete')),
  CONSTRAINT document_root_is_not_empty CHECK (document_root <> ''),
  CONSTRAINT document_check_is_known CHECK (document_check IN ('deferred', 'reject')),
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

/** Import suppliers, the organisations that may see them, and the catalogues with their initial values. */
export class SuppliersAndCatalogues1795998060000 implements MigrationInterface {
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
