import type { AccountEventRow } from '../../../capabilities/request-log/history/account-history.types.js';
import type { SentRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { ANOTHER_ORGANISATION } from '../common/another-organisation.js';
import { formatCount } from '../common/format.js';
import { memberPairs, type Members } from '../common/recorded-values.js';
import { RequestLink } from '../layout/request-link.js';
import { refusalPairs, refusedTitle } from '../layout/refusal.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/**
 * An event of an account's history as the signed-in user may see it. An admin sees no names and reasons of operators, and
 * of another organisation's request no more than the reader returns.
 *
 * Source: choices C3, C5.
 */
export function toHistoryEvent(row: AccountEventRow, user: SignedInUser): TimelineEvent {
  const { at } = row;
  switch (row.event) {
    case 'staged':
      return { at, title: 'Staged', kind: 'other' };
    case 'imported':
      return {
        at,
        title: `Imported as ${textOf(row.members, 'service_account_number') ?? ''}`,
        kind: 'stored',
      };
    case 'import_failed':
      return {
        at,
        title: 'Import failed',
        kind: 'refused',
        details: [['Reason', textOf(row.members, 'failure')]],
      };
    case 'request':
      return { at, ...ofRequest(row.request) };
    case 'operator_change':
      return { at, kind: 'other', ...ofChange(row.members, user) };
  }
}

function storedTitle(counts: SentRequest['counts']): string {
  const stored = Object.entries(counts ?? {})
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => `${formatCount(count)} ${nameOf(kind, count)}`);
  return `Stored ${stored.join(' and ')}`;
}

/** @param kind in the plural: notes, transactions, statements, payment_instructions */
function nameOf(kind: string, count: number): string {
  const words = kind.replaceAll('_', ' ');
  return count === 1 ? words.slice(0, -1) : words;
}

function ofRequest(request: SentRequest): Omit<TimelineEvent, 'at'> {
  const { kind, status, counts, details } = request;
  const what =
    status === null
      ? ({ title: storedTitle(counts), kind: 'stored' } as const)
      : ({ title: refusedTitle({ kind, status, ...details }), kind: 'refused' } as const);
  if (!details) return { ...what, by: ANOTHER_ORGANISATION };
  const { sender, requestId, traceId, undoneAt } = details;
  return {
    ...what,
    ...(undoneAt && { kind: 'other', undoneAt }),
    by: sender && `${sender.organisation}, key ${sender.label}`,
    details: [
      ...(status === null ? [] : refusalPairs(kind, details)),
      ['Request', <RequestLink id={requestId} />],
      ['Trace id', traceId],
    ],
  };
}

function ofChange(members: Members, user: SignedInUser): Pick<TimelineEvent, 'title' | 'by' | 'details'> {
  const action = textOf(members, 'action') ?? '';
  const title = `Change by an operator: ${action.replace(/^account\./, '').replaceAll('_', ' ')}`;
  if (user.kind === 'admin') return { title };
  const details = memberPairs((members.details ?? {}) as Members);
  return { title, by: textOf(members, 'operator'), details };
}

/** A member that is a string or a number. */
function textOf(members: Members, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
