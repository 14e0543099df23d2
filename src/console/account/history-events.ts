import type { AccountEventRow } from '../../history/account-history.types.js';
import { itemOf, type ImportKind } from '../../items/items.js';
import { formatCount } from '../common/format.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { Pair } from '../layout/pairs.js';
import { ANOTHER_ORGANISATION, type Senders } from '../viewers/senders.types.js';
import type { Viewer } from '../viewers/viewer.js';

type Members = Readonly<Record<string, unknown>>;
type Details = readonly Pair[];

/**
 * An event of an account's history as a viewer may see it. An admin sees neither which other organisation has sent a request and under
 * which id, nor operators' names and reasons.
 *
 * @param senders of the requests
 * Source: choices C3, C5.
 */
export function toEvent(
  { at, event, members }: AccountEventRow,
  viewer: Viewer,
  senders: Senders,
): TimelineEvent {
  switch (event) {
    case 'staged':
      return { at, title: 'Staged', kind: 'other' };
    case 'imported':
      return { at, title: `Imported as ${textOf(members, 'service_account_number') ?? ''}`, kind: 'stored' };
    case 'import_failed':
      return {
        at,
        title: 'Import failed',
        kind: 'refused',
        details: [['Reason', textOf(members, 'failure')]],
      };
    case 'import_request': {
      const undoneAt = textOf(members, 'undone_at');
      const request = { at, title: storedTitle(members), ...ofRequest(members, senders) };
      return undoneAt === undefined
        ? { ...request, kind: 'stored' }
        : { ...request, kind: 'other', undoneAt: new Date(undoneAt) };
    }
    case 'refusal':
      return { at, title: refusedTitle(members), kind: 'refused', ...ofRequest(members, senders) };
    case 'operator_change':
      return { at, kind: 'other', ...ofChange(members, viewer) };
  }
}

function storedTitle(members: Members): string {
  const counts = Object.entries((members.counts ?? {}) as Record<string, number>)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${formatCount(count)} ${nameOf(kind, count)}`);
  return `Stored ${counts.join(' and ')}`;
}

/** @param kind in the plural: notes, transactions, statements, payment_instructions */
function nameOf(kind: string, count: number): string {
  const words = kind.replaceAll('_', ' ');
  return count === 1 ? words.slice(0, -1) : words;
}

function refusedTitle(members: Members): string {
  const kind = itemOf(textOf(members, 'kind') as ImportKind).requestWords;
  const dryRun = members.dry_run === true ? ', dry run' : '';
  return `Refused ${kind}: ${textOf(members, 'status') ?? ''} ${textOf(members, 'code') ?? ''}${dryRun}`;
}

/** Who sent a request, and its details; of another organisation's neither. */
function ofRequest(members: Members, { find, isKnown }: Senders): Pick<TimelineEvent, 'by' | 'details'> {
  const apiKeyId = textOf(members, 'api_key_id') ?? '';
  const sender = find(apiKeyId);
  const field = [textOf(members, 'field_code'), textOf(members, 'attr')].filter(Boolean).join(' at ');
  if (!isKnown(apiKeyId)) return { by: ANOTHER_ORGANISATION, details: [['Field', field]] };
  return {
    by: sender && `${sender.organisation}, key ${sender.label}`,
    details: [
      ['Field', field],
      ['Request', textOf(members, 'request_id')],
      ['Trace', textOf(members, 'trace_id')],
    ],
  };
}

function ofChange(members: Members, viewer: Viewer): Pick<TimelineEvent, 'title' | 'by' | 'details'> {
  const action = textOf(members, 'action') ?? '';
  const title = `Change by an operator: ${action.replace(/^account\./, '').replaceAll('_', ' ')}`;
  if (viewer.kind === 'admin') return { title };
  const details = changedValues((members.details ?? {}) as Members);
  return { title, by: textOf(members, 'operator'), details };
}

/** Values that were changed have members `from` and `to`; all others are what they are. */
function changedValues({ from, to, ...others }: Members): Details {
  const before = (from ?? {}) as Members;
  const changes = Object.entries((to ?? {}) as Members).map(
    ([name, value]) => [name, `${shown(before[name])} → ${shown(value)}`] as const,
  );
  return [...Object.entries(others).map(([name, value]) => [name, shown(value)] as const), ...changes];
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A member that is a text or a number. */
export function textOf(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
