import type { EvidenceFilter } from './evidence/evidence.types.js';

/** Operator changes. The part before the point is the kind of the subject. */
export const AUDIT_ACTIONS = [
  'organisation.create',
  'organisation.rename',
  'organisation.force_reauthentication',
  'api_key.issue',
  'api_key.revoke',
  'platform_key.issue',
  'platform_key.revoke',
  'supplier.create',
  'supplier.set',
  'supplier.complete',
  'supplier.archive',
  'supplier.unarchive',
  'supplier.grant',
  'supplier.revoke',
  'supplier.erase',
  'supplier.undo_imports',
  'catalogue.add',
  'accounts.stage',
  'accounts.import',
  'accounts.retry',
  'accounts.set_controls',
  'accounts.set_periods',
  'documents.check',
  'account.retry',
  'account.set_period',
  'account.set_control',
  'account.erase',
  'account.undo_imports',
  'console.link',
  'console.revoke',
  'totals.repair',
  'feed.forget_reader',
  'feed.new_epoch',
  'database.distribute',
  'database.restored',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** An operator change to be recorded. */
export interface OperatorChange {
  /** The setting OPERATOR, or the system user name. */
  readonly operator: string;
  readonly action: AuditAction;
  /** The subject of the change, as an operator names it: a supplier's code, an organisation's name, the id of a key. */
  readonly subject: string;
  /** Code of the supplier that the subject is or belongs to. */
  readonly importSupplier?: string;
  /** Only together with its supplier. */
  readonly externalAccountNumber?: string;
  /** If values changed, `from` and `to` with only the changed values. Never a secret or customer data. */
  readonly details?: object;
}

/** The common part of the entries for several accounts of a supplier. */
export type AccountsChange = Required<Pick<OperatorChange, 'operator' | 'action' | 'importSupplier'>>;

/** One account in a change of several. */
export interface ChangedAccount {
  readonly external_account_number: string;
  /** {@link OperatorChange.details} as JSON text: one query passes thousands of them to the next. */
  readonly details: string;
}

/** Filters of the list; by default it contains all entries. */
export interface AuditFilter extends EvidenceFilter {
  /** Only views, without changes. */
  readonly isOfViews?: boolean;
}

/** An entry in the list. */
export interface ListedEntry {
  readonly at: Date;
  readonly operator: string;
  /** Label of the organisation's or platform's key that acted. */
  readonly keyLabel?: string | undefined;
  readonly action: string;
  readonly subject: string;
  /** Null if the entry belongs to no supplier. */
  readonly import_supplier: string | null;
  readonly details: object;
}
