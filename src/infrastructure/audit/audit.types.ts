import type { EvidenceFilter } from './evidence/evidence.types.js';

/** What an operator can change; the part before the point is the sort of the subject. */
export const AUDIT_ACTIONS = [
  'organisation.create',
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

/** An operator change that is to be recorded. */
export interface OperatorChange {
  /** Who: the setting OPERATOR, or the user name of the system. */
  readonly operator: string;
  readonly action: AuditAction;
  /** What was changed, as an operator names it: a supplier's code, an organisation's name, the id of a key. */
  readonly subject: string;
  /** Code of the supplier that the subject is or belongs to. */
  readonly importSupplier?: string;
  /** Only together with its supplier. */
  readonly externalAccountNumber?: string;
  /** Of a change of values `from` and `to`, with the changed ones only. Never a secret, nor a customer's data. */
  readonly details?: object;
}

/** What the entries of several accounts of a supplier have in common. */
export type AccountsChange = Required<Pick<OperatorChange, 'operator' | 'action' | 'importSupplier'>>;

/** An account of a change of several. */
export interface ChangedAccount {
  readonly external_account_number: string;
  /** {@link OperatorChange.details} as JSON text: thousands of them go from one query into the next. */
  readonly details: string;
}

/** Which entries are listed; all of them by default. */
export interface AuditFilter extends EvidenceFilter {
  /** Only what viewers caused, without changes. */
  readonly isOfViews?: boolean;
}

/** An entry as operators see it. */
export interface ListedEntry {
  readonly at: Date;
  readonly operator: string;
  /** Of the key of an organisation or of the platform that acted. */
  readonly keyLabel?: string | undefined;
  readonly action: string;
  readonly subject: string;
  /** Null where it belongs to no supplier. */
  readonly import_supplier: string | null;
  readonly details: object;
}
