import { ITEM_TABLES } from '../../item-names/item-names.js';

/** The tables that every node has a copy of, so that a request's query can read them on the node of its rows. */
export const REFERENCE_TABLES = ['import_supplier', 'import_supplier_grant'] as const;

/**
 * The tables whose rows are on the node of their supplier, each in the shard chosen by the hash of `import_supplier_id`. One node
 * runs a query about one supplier. The first table decides where the shards of the others are.
 */
export const DISTRIBUTED_TABLES = [
  ...['account_import', 'imported_account', 'erasure', 'account_erasure', 'import_lease', 'import_request'],
  'import_refusal',
  ...ITEM_TABLES,
  ...['supplier_change', 'supplier_total', 'supplier_minute', 'account_control', 'unloaded_account'],
  ...['feed', 'feed_epoch', 'feed_change', 'feed_reader'],
] as const;

/** The column that decides on which node a row is. */
export const DISTRIBUTION_COLUMN = 'import_supplier_id';

/** The tables whose rows belong to an imported account. */
const TABLES_OF_AN_ACCOUNT = ['import_request', ...ITEM_TABLES];

/**
 * The accounts that are imported or being erased, with only their columns that never change. Foreign keys can refer to it where a
 * single server has triggers.
 *
 * The row exists from the import of the account until its last row is gone. `service_account_number` is null while the account is
 * being erased: the account itself is then gone, but its rows are not.
 */
export const IMPORTED_ACCOUNT = `
CREATE TABLE imported_account (
  import_supplier_id integer NOT NULL,
  external_account_number text COLLATE "C" NOT NULL,
  service_account_number text COLLATE "C",
  erasure_id uuid,
  PRIMARY KEY (import_supplier_id, external_account_number),
  CONSTRAINT imported_account_has_one_number
    UNIQUE (import_supplier_id, external_account_number, service_account_number),
  CONSTRAINT service_account_number_if_and_only_if_not_being_erased
    CHECK ((service_account_number IS NULL) = (erasure_id IS NOT NULL))
);
INSERT INTO imported_account (import_supplier_id, external_account_number, service_account_number)
SELECT import_supplier_id, external_account_number, service_account_number
  FROM account_import
 WHERE status = 'imported';
INSERT INTO imported_account (import_supplier_id, external_account_number, erasure_id)
SELECT import_supplier_id, external_account_number, erasure_id
  FROM account_erasure`;

/**
 * Replaces the foreign key from a grant to its organisation. The tables of organisations and API keys stay outside of Citus, so
 * that tokens are issued and checked whichever node is unavailable; a foreign key would pull them in.
 */
export const KEEP_GRANTED_ORGANISATION = `
CREATE FUNCTION refuse_deletion_of_granted_organisation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM import_supplier_grant g WHERE g.organisation_id = OLD.id) THEN
    RAISE EXCEPTION 'organisation % has grants', OLD.id USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER refuse_deletion_of_granted_organisation BEFORE DELETE ON organisation
  FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_granted_organisation()`;

/** Foreign keys that are not added again. */
export const REPLACED_FOREIGN_KEYS: readonly { readonly table: string; readonly name: string }[] = [
  { table: 'import_supplier_grant', name: 'organisation_exists' },
];

/** A distributed table cannot have a unique index without its distribution column. */
export const REFUSED_INDEXES = ['service_account_number_is_unique'] as const;

/** A constraint that a distributed table has instead of a trigger. */
export interface AddedConstraint {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

const ACCOUNT = '(import_supplier_id, external_account_number)';
const IMPORTED = '(import_supplier_id, external_account_number, service_account_number)';
const ERASED = '(import_supplier_id, external_account_number, erasure_id)';

/**
 * The constraints that replace, on several nodes, the triggers of a single server (docs/scaling.md, "Promises"). They are added
 * in this order.
 */
export const ADDED_CONSTRAINTS: readonly AddedConstraint[] = [
  {
    table: 'account_import',
    name: 'import_supplier_exists',
    definition: 'FOREIGN KEY (import_supplier_id) REFERENCES import_supplier (id)',
  },
  { table: 'account_import', name: 'account_import_has_one_number', definition: `UNIQUE ${IMPORTED}` },
  { table: 'account_erasure', name: 'account_has_one_erasure', definition: `UNIQUE ${ERASED}` },
  // An imported account is neither deleted nor changed, except by its erasure.
  {
    table: 'imported_account',
    name: 'account_is_imported',
    definition: `FOREIGN KEY ${IMPORTED} REFERENCES account_import ${IMPORTED}`,
  },
  // An erasure ends when nothing of the account is left.
  {
    table: 'imported_account',
    name: 'account_erasure_exists',
    definition: `FOREIGN KEY ${ERASED} REFERENCES account_erasure ${ERASED}`,
  },
  // Deferred, because importing and erasing change both tables, one after the other.
  {
    table: 'account_import',
    name: 'imported_account_exists',
    definition: `FOREIGN KEY ${IMPORTED} REFERENCES imported_account ${IMPORTED} DEFERRABLE INITIALLY DEFERRED`,
  },
  ...TABLES_OF_AN_ACCOUNT.map((table) => ({
    table,
    name: 'imported_account_exists',
    definition: `FOREIGN KEY ${ACCOUNT} REFERENCES imported_account ${ACCOUNT}`,
  })),
];
