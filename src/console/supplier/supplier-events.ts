import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { Viewer } from '../viewers/viewer.js';
import type { ChangedValue, SupplierEvent } from './supplier.types.js';

/** What an admin learns of; who else sees the supplier is not the admin's business. */
const ACTIONS_FOR_ADMINS = [
  'supplier.create',
  'supplier.set',
  'supplier.complete',
  'supplier.erase',
  'supplier.undo_imports',
] as const;
const ACTIONS_FOR_OPERATORS = [...ACTIONS_FOR_ADMINS, 'supplier.grant', 'supplier.revoke'] as const;

/** The recorded actions that the page of a supplier lists for a viewer. */
export function listedActions(viewer: Viewer['kind']): readonly string[] {
  return viewer === 'operator' ? ACTIONS_FOR_OPERATORS : ACTIONS_FOR_ADMINS;
}

/** An entry as a viewer sees it: an admin does not learn the name of the operator. */
export function toSupplierEvent(viewer: Viewer['kind'], entry: AuditEntry): SupplierEvent {
  const { at, operator, action } = entry;
  const { from = {}, to = {}, event, organisation } = entry.details as RecordedDetails;
  const changes = Object.entries(to).map(([name, value]): ChangedValue => ({
    name,
    from: textOf(from[name]),
    to: textOf(value),
  }));
  return {
    at,
    action,
    changes,
    phase: typeof event === 'string' ? event : undefined,
    operator: viewer === 'operator' ? operator : undefined,
    organisation: viewer === 'operator' && typeof organisation === 'string' ? organisation : undefined,
  };
}

/** The parts of the details of an entry that are shown. */
interface RecordedDetails {
  readonly from?: Readonly<Record<string, unknown>>;
  readonly to?: Readonly<Record<string, unknown>>;
  readonly event?: unknown;
  readonly organisation?: unknown;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
