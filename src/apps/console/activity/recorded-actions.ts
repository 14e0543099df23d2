import type { AuditAction } from '../../../infrastructure/audit/audit.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/** Changes of a supplier, and runs for it or for one of its accounts. Changes of single accounts are in the accounts' history. */
type SupplierAction = Extract<
  AuditAction,
  | `${'supplier' | 'accounts' | 'documents' | 'feed' | 'totals'}.${string}`
  | 'account.erase'
  | 'account.undo_imports'
>;

interface ListedAction {
  readonly kind: 'runs' | 'changes';
  readonly title: string;
  /**
   * Whether it is hidden from admins, because it would reveal who else may see the supplier, which accounts were erased, or what
   * the platform does for itself.
   */
  readonly isForOperators?: true;
}

/** All actions. A missing action does not compile. */
export const ACTIONS: Readonly<Record<SupplierAction, ListedAction>> = {
  'accounts.stage': { kind: 'runs', title: 'Staging of accounts' },
  'accounts.import': { kind: 'runs', title: 'Import of accounts' },
  'accounts.retry': { kind: 'runs', title: 'Retry of failed accounts' },
  'accounts.set_controls': { kind: 'runs', title: 'Change of control totals' },
  'accounts.set_periods': { kind: 'runs', title: 'Change of open statement periods' },
  'documents.check': { kind: 'runs', title: 'Look-up of documents' },
  'account.erase': { kind: 'runs', title: 'Erasure of an account', isForOperators: true },
  'supplier.erase': { kind: 'runs', title: 'Erasure of all accounts' },
  'account.undo_imports': { kind: 'runs', title: 'Undo of import requests of an account' },
  'supplier.undo_imports': { kind: 'runs', title: 'Undo of import requests' },
  'supplier.create': { kind: 'changes', title: 'Created' },
  'supplier.set': { kind: 'changes', title: 'Changed' },
  'supplier.complete': { kind: 'changes', title: 'Completed' },
  'supplier.archive': { kind: 'changes', title: 'Archived' },
  'supplier.unarchive': { kind: 'changes', title: 'Unarchived' },
  'supplier.grant': { kind: 'changes', title: 'Access granted', isForOperators: true },
  'supplier.revoke': { kind: 'changes', title: 'Access revoked', isForOperators: true },
  'totals.repair': { kind: 'changes', title: 'Totals repaired', isForOperators: true },
  'feed.forget_reader': { kind: 'changes', title: 'Feed reader forgotten', isForOperators: true },
  'feed.new_epoch': { kind: 'changes', title: 'New epoch of the feed', isForOperators: true },
};

/** The recorded actions that the signed-in user may see. @param kind all by default */
export function listedActions(role: SignedInUser['kind'], kind?: ListedAction['kind']): string[] {
  return Object.entries(ACTIONS)
    .filter(([, action]) => kind === undefined || action.kind === kind)
    .filter(([, action]) => role !== 'admin' || action.isForOperators !== true)
    .map(([name]) => name);
}

/** An action that is no longer known is shown by its recorded name. */
export function listedAction(name: string): ListedAction {
  const known: Readonly<Record<string, ListedAction>> = ACTIONS;
  return known[name] ?? { kind: 'changes', title: name };
}
