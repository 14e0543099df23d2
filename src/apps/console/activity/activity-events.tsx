import { ADDRESSES } from '../common/addresses.js';
import { changesOf, type Members } from '../common/recorded-values.js';
import { capitalised, formatCount, formatDuration } from '../common/format.js';
import { AccountLink } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import type { Pair } from '../layout/pairs.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import type { RecordedActivity, RecordedView } from './activity.types.js';
import { listedAction } from './recorded-actions.js';

const SETTINGS: Readonly<Record<string, string>> = {
  status: 'Status',
  document_root: 'Document root',
  document_check: 'Document check',
  customer_emails: 'Customer e-mails',
};

/**
 * A run or a change as the signed-in user sees it. An admin sees neither the operator's name nor the operator's reason.
 *
 * @param code the supplier's code
 * Source: choices A8, C2.
 */
export function toEvent(role: SignedInUser['kind'], code: string, entry: RecordedActivity): TimelineEvent {
  const { at, action } = entry;
  const isOperator = role === 'operator';
  const by = isOperator ? entry.operator : 'the platform';
  return listedAction(action).kind === 'runs'
    ? { at, by, ...runOf(entry, code, isOperator) }
    : { at, by, kind: 'other', title: changeTitle(entry, isOperator) };
}

function runOf(entry: RecordedActivity, code: string, isOperator: boolean): Omit<TimelineEvent, 'at' | 'by'> {
  const { action, details, end, externalAccountNumber: accountNumber } = entry;
  const account = <AccountLink code={code} accountNumber={accountNumber ?? ''} />;
  const outcome = textOf(end?.outcome);
  const reasons: readonly Pair[] = isOperator
    ? [
        ['Reason', textOf(details.reason)],
        ['Filter', filterText(details.filter)],
      ]
    : [];
  return {
    title: listedAction(action).title,
    kind: outcome === 'complete' ? 'stored' : outcome === 'failed' ? 'refused' : 'other',
    badge: outcome ?? 'running',
    details: [
      ['Account', accountNumber && action !== 'account.erase' ? account : accountNumber],
      ...countsOf(end ?? {}),
      ['Duration', end && durationOf(entry, end)],
      ['End', end === null && 'Not recorded: it is still running, or was killed'],
      ...reasons,
    ],
  };
}

/**
 * The recorded duration of a run. An erasure has none, because several processes may carry it out: its duration is the time from
 * its start to its end.
 */
function durationOf({ at, endedAt }: RecordedActivity, { duration_ms: recorded }: Members): string {
  const elapsedMs = Math.max((endedAt ?? at).getTime() - at.getTime(), 0);
  return formatDuration(typeof recorded === 'number' ? recorded : elapsedMs);
}

/** The results of a run: its numeric members without the duration. */
function countsOf(end: Members): Pair[] {
  return Object.entries(end).flatMap(([name, value]): Pair[] =>
    typeof value === 'number' && value > 0 && name !== 'duration_ms'
      ? [[capitalised(name.replaceAll('_', ' ')), formatCount(value)]]
      : [],
  );
}

/** The filter that selected the import requests to undo, as text. */
function filterText(filter: unknown): string | undefined {
  const given = Object.entries((filter ?? {}) as Members).map(
    ([name, value]) => `${name.replaceAll('_', ' ')} ${valueText(value)}`,
  );
  return given.length === 0 ? undefined : given.join(', ');
}

function changeTitle({ action, subject, details }: RecordedActivity, isOperator: boolean): string {
  const { title } = listedAction(action);
  switch (action) {
    case 'supplier.set':
      return changed(details);
    case 'supplier.complete': {
      const why = isOperator ? `: ${textOf(details.reason) ?? ''}` : '';
      return `${changed(details)}${details.forced === true ? `, although something was missing${why}` : ''}`;
    }
    case 'supplier.grant':
    case 'supplier.revoke':
      return `${title} ${textOf(details.organisation) ?? ''}`;
    case 'feed.forget_reader':
      return `${title} ${subject}`;
    default:
      return title;
  }
}

function changed(details: Members): string {
  return changesOf(details, valueText)
    .map(([name, change]) => `${SETTINGS[name] ?? name}: ${change}`)
    .join(', ');
}

const VIEW_TITLES: Readonly<Record<string, string>> = {
  'account.view': 'Account page',
  'account.rows': 'Rows of an account, read through the API',
  'document.view': 'Document of an account',
  'failures.download': 'CSV file of failures',
  'accounts.download': 'CSV file of accounts',
  'feed.read': 'Changes, read from the feed',
};

/**
 * A view of data by a user, for operators.
 *
 * @param names readable names of API keys; the key of the map is the name that is recorded when an API key is used
 * Source: choices C2, O6.
 */
export function toViewEvent(
  code: string,
  view: RecordedView,
  names: ReadonlyMap<string, string>,
): TimelineEvent {
  const { at, lastAt, count, action, viewer, externalAccountNumber: accountNumber, fromOtherSites } = view;
  return {
    at,
    title: VIEW_TITLES[action] ?? action,
    kind: 'other',
    by: names.get(viewer) ?? viewer,
    details: [
      ['Account', accountNumber && <AccountLink {...{ code, accountNumber }} />],
      ['Views in this hour', count > 1 && formatCount(count)],
      ['Last view', count > 1 && <DateTime at={lastAt} relative />],
      ['Opened from another site', fromOtherSites > 0 && formatCount(fromOtherSites)],
    ],
  };
}

/** The address of a page of the activity. */
export function activityAddress(code: string, show: string | undefined, after?: string): string {
  return ADDRESSES.activity(code, { show, after });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
