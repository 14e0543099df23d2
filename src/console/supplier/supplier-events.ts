import type { AuditEntry } from '../../audit/audit-entry.entity.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { Viewer } from '../viewers/viewer.js';

/** What an admin learns of; who else sees the supplier is not the admin's business. */
const ACTIONS_FOR_ADMINS = [
  'supplier.create',
  'supplier.set',
  'supplier.complete',
  'supplier.archive',
  'supplier.unarchive',
  'supplier.erase',
  'supplier.undo_imports',
] as const;
const ACTIONS_FOR_OPERATORS = [...ACTIONS_FOR_ADMINS, 'supplier.grant', 'supplier.revoke'] as const;

const NAMES: Readonly<Record<string, string>> = {
  status: 'Status',
  document_root: 'Document root',
  document_check: 'Document check',
  customer_emails: 'Customer e-mails',
};

/** The recorded actions that the page of a supplier lists for a viewer. */
export function listedActions(viewer: Viewer['kind']): readonly string[] {
  return viewer === 'operator' ? ACTIONS_FOR_OPERATORS : ACTIONS_FOR_ADMINS;
}

/** An entry as a viewer sees it: an admin does not learn the name of the operator. */
export function toSupplierEvent(viewer: Viewer['kind'], entry: AuditEntry): TimelineEvent {
  const by = viewer === 'operator' ? entry.operator : 'the platform';
  return { at: entry.at, title: titleOf(entry, viewer), kind: 'other', by };
}

function titleOf({ action, details }: AuditEntry, viewer: Viewer['kind']): string {
  const {
    from = {},
    to = {},
    event = '',
    organisation = '',
    forced,
    reason = '',
  } = details as RecordedDetails;
  switch (action) {
    case 'supplier.create':
      return 'Created';
    case 'supplier.archive':
      return 'Archived';
    case 'supplier.unarchive':
      return 'Archived no longer';
    case 'supplier.erase':
      return `Erasure of everything that was imported ${event}`;
    case 'supplier.undo_imports':
      return `Undoing of import requests ${event}`;
    case 'supplier.grant':
      return `Granted to ${organisation}`;
    case 'supplier.revoke':
      return `Grant of ${organisation} revoked`;
    case 'supplier.complete': {
      const why = viewer === 'operator' ? `: ${reason}` : '';
      return `${changed(from, to)}${forced === true ? `, although something was missing${why}` : ''}`;
    }
    default:
      return changed(from, to);
  }
}

function changed(from: Readonly<Record<string, unknown>>, to: Readonly<Record<string, unknown>>): string {
  return Object.entries(to)
    .map(([name, value]) => `${NAMES[name] ?? name}: ${textOf(from[name])} → ${textOf(value)}`)
    .join(', ');
}

/** The parts of the details of an entry that are shown. */
interface RecordedDetails {
  readonly from?: Readonly<Record<string, unknown>>;
  readonly to?: Readonly<Record<string, unknown>>;
  /** Whether an erasure or undoing has begun or ended. */
  readonly event?: string;
  readonly organisation?: string;
  /** Whether a supplier was completed although something was missing, and why. */
  readonly forced?: boolean;
  readonly reason?: string;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
