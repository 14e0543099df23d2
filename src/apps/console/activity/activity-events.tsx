import { formatCount, formatDuration } from '../common/format.js';
import { memberPairs } from '../common/recorded-values.js';
import { AccountLink } from '../layout/account-link.js';
import { DateTime } from '../layout/date-time.js';
import type { Pair } from '../layout/pairs.js';
import type { TimelineEvent } from '../layout/timeline.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import type { RecordedActivity, RecordedView } from './activity.types.js';
import { listedAction } from './recorded-actions.js';

/** Members of a record that are shown otherwise. */
const UNLISTED = new Set(['run', 'event', 'forced', 'from', 'to']);

/**
 * A run or a change as the signed-in user sees it. An admin sees neither the operator's name nor the operator's reason.
 *
 * @param code the supplier's code
 * Source: choices A8, C2.
 */
export function toEvent(role: SignedInUser['kind'], code: string, entry: RecordedActivity): TimelineEvent {
  const { at, action, operator, subject } = entry;
  const { kind, title } = listedAction(action);
  const { forced, from, to } = entry.details;
  const others = Object.entries(entry.details).filter(([name]) => !UNLISTED.has(name));
  const isOperator = role !== 'admin';
  const pairs: readonly Pair[] = [
    ...(kind === 'runs'
      ? runPairs(entry, code)
      : memberPairs({ ...(forced === true && { forced }), from, to })),
    ...(isOperator && subject !== code && entry.externalAccountNumber === null
      ? [['Subject', subject] as const]
      : []),
    ...(isOperator ? memberPairs(Object.fromEntries(others)) : []),
  ];
  const by = isOperator ? operator : 'the platform';
  return { at, by, title, details: pairs, ...(kind === 'runs' ? outcomeOf(entry) : { kind: 'other' }) };
}

/** How a run ended. */
function outcomeOf({ end }: RecordedActivity): Pick<TimelineEvent, 'kind' | 'badge'> {
  const badge = typeof end?.outcome === 'string' ? end.outcome : 'running';
  return { badge, kind: badge === 'complete' ? 'stored' : badge === 'failed' ? 'refused' : 'other' };
}

/** The account of a run for a single one, its results, and how long it took. */
function runPairs(
  { at, endedAt, end, action, externalAccountNumber: account }: RecordedActivity,
  code: string,
): Pair[] {
  const link = account !== null && action !== 'account.erase' && (
    <AccountLink code={code} accountNumber={account} />
  );
  const counts = Object.entries(end ?? {}).filter(
    ([name, value]) => typeof value === 'number' && value > 0 && name !== 'duration_ms',
  );
  // An erasure has no recorded duration, because several processes may carry it out.
  const elapsedMs = Math.max((endedAt ?? at).getTime() - at.getTime(), 0);
  const { duration_ms: recorded } = end ?? {};
  return [
    ['Account', link === false ? account : link],
    ...memberPairs(Object.fromEntries(counts)),
    ['Duration', end && formatDuration(typeof recorded === 'number' ? recorded : elapsedMs)],
    ['End', end === null && 'Not recorded: it is still running, or was killed'],
  ];
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
