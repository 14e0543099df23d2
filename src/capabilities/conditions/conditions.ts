import { formatDateTime } from '../../infrastructure/clock/dates.js';
import { boundedText, countedBounded } from '../../infrastructure/text/bounded-counts.js';
import type { CutOver } from './cut-over.js';
import { COUNTED_MAX, type CommonestCause, type SupplierFacts } from './facts.types.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** After this many minutes without an imported account, waiting accounts are a problem. */
const NOT_IMPORTING_MINUTES = 10;
/** The age at which a document that nobody has looked for is a problem. Many are uploaded only after a request refers to them. */
const NOT_LOOKED_UP_MS = DAY_MS;
/** The age of the oldest change that a reader of the feed has not done, at which it is behind. */
const READER_BEHIND_SECONDS = 15 * 60;
/** Keys that expire within this time need to be replaced. */
export const KEY_EXPIRES_MS = 7 * DAY_MS;
/** A cut-over in at most this many days is shown first. */
const CUT_OVER_NEAR_DAYS = 7;
/** The totals know the import of accounts this far back. */
const KNOWN_IMPORTS_MS = 8 * DAY_MS;

/** Something that is wrong or late; or something that is missing, which may be normal. */
export type ConditionState = 'problem' | 'waiting';
/** The states of a supplier, the most severe first. A supplier has that of its most severe condition. */
export const STANDINGS = ['problem', 'waiting', 'nothing_missing'] as const;
export type Standing = (typeof STANDINGS)[number];

/** The pages of a supplier that show the subjects of conditions. */
type ConditionPage = 'accounts' | 'differences' | 'documents' | 'failures' | 'settings';

/** A condition that a supplier has. */
export interface Found {
  readonly state: ConditionState;
  /** Accounts, requests, documents or changes. */
  readonly count: number;
  /** The beginning of a sentence; it ends with the time since which no row was stored, or with the commonest cause. */
  readonly words: string;
  readonly noneSince?: Date | undefined;
  readonly cause?: CommonestCause | null;
  readonly page?: readonly [page: ConditionPage, query: Readonly<Record<string, string>>];
}

/** The definition of a condition: a description for docs/alerts.md, and the function that finds it. */
interface Condition {
  readonly about: string;
  readonly find: (facts: SupplierFacts, now: Date) => Found | undefined;
}

const state = (isProblem: boolean): ConditionState => (isProblem ? 'problem' : 'waiting');
const bounded = (count: number): number => Math.min(count, COUNTED_MAX);
const accountsText = (count: number): string => countedBounded(count, Infinity, 'account');

/** Every condition of a supplier, the most severe first. Source: choice C12; decision 29 (docs/decisions/). */
export const CONDITIONS = {
  not_importing: {
    about: 'accounts are pending and none was imported for 10 minutes',
    find: ({ supplier, totals: { accounts }, pace }, now) => {
      const count = accounts.pending + accounts.in_progress;
      if (count <= 0) return undefined;
      const page = ['accounts', { state: 'pending' }] as const;
      const pending = `${accountsText(count)} ${count === 1 ? 'is' : 'are'} pending`;
      if (supplier.status !== 'ongoing')
        return { state: 'waiting', count, page, words: `the supplier is ${supplier.status}, and ${pending}` };
      const imported = pace.lastImportedAt ? pace.lastImportedAt.getTime() + MINUTE_MS : -Infinity;
      const since = Math.max(imported, pace.pendingSince?.getTime() ?? now.getTime());
      const minutes = Math.floor((now.getTime() - since) / MINUTE_MS);
      if (minutes < NOT_IMPORTING_MINUTES) return { state: 'waiting', count, page, words: pending };
      return {
        ...{ state: 'problem', count, page },
        words: `no account was imported for ${minutesText(minutes)}, and ${pending}`,
      };
    },
  },
  too_many: {
    about: 'accounts have more rows than their control totals expect',
    find: ({ totals: { control } }) => wrongTotals('too_many', control.too_many, 'too many rows'),
  },
  wrong_amount: {
    about: 'accounts have all transactions that are expected, with another amount',
    find: ({ totals: { control } }) => wrongTotals('wrong_amount', control.wrong_amount, 'another amount'),
  },
  failed: {
    about: 'accounts whose import failed',
    find: ({ totals: { accounts }, failureCause: cause }) =>
      problem(accounts.failed, {
        words: `${accountsText(accounts.failed)} failed`,
        ...{ cause, page: ['failures', {}] },
      }),
  },
  refused: {
    about: 'import requests that were rejected in the last hour, without dry runs',
    find: ({ refusals, refusalCause: cause }) =>
      problem(bounded(refusals), {
        words: `${countedBounded(refusals, COUNTED_MAX, 'request was', 'requests were')} rejected in the last hour`,
        ...{ cause, page: ['failures', { period: 'hour' }] },
      }),
  },
  rows_missing: {
    about: 'rows are missing and none was stored for the time of `supplier set --quiet-after`',
    find: (facts, now) => {
      const { rows, totals, forecast } = facts;
      const { status, quietAfter } = facts.supplier;
      const missing = rows ? rows.expected - rows.stored : 0;
      const incomplete = totals.control.incomplete + totals.control.not_imported;
      if (missing <= 0 && incomplete <= 0) return undefined;
      const quiet = quietSince(facts, now);
      const isLate = quiet !== undefined && quietAfter !== null && secondsSince(quiet, now) >= quietAfter;
      const what =
        missing > 0 && rows
          ? `${boundedText(missing)} of ${boundedText(rows.expected)} expected rows are missing`
          : `${accountsText(incomplete)} ${incomplete === 1 ? 'is' : 'are'} not complete`;
      const found = { count: missing > 0 ? missing : incomplete, page: ['differences', {}] } as const;
      if (status !== 'ongoing')
        return { ...found, state: 'waiting', words: `the supplier is ${status}, and ${what}` };
      if (missing > 0 && (forecast.kind === 'at' || forecast.kind === 'more_than_a_year'))
        return { ...found, state: 'waiting', words: `${what}, loading` };
      const noneSince = totals.lastRequestAt ?? undefined;
      const words = noneSince ? what : `${what}, none stored yet`;
      return { ...found, state: state(isLate), words, noneSince };
    },
  },
  reader_behind: {
    about: 'a reader of the feed has not done a change that is older than 15 minutes',
    find: ({ lag }) =>
      lag.seconds < READER_BEHIND_SECONDS
        ? undefined
        : problem(lag.changes, {
            words: `a reader of the feed is ${minutesText(Math.floor(lag.seconds / 60))} behind`,
            page: ['settings', {}],
          }),
  },
  documents_missing: {
    about: 'documents are not in the document store',
    find: ({ documents: { missing } }) =>
      problem(bounded(missing), {
        words: countedBounded(missing, COUNTED_MAX, 'missing document'),
        page: ['documents', { state: 'missing' }],
      }),
  },
  documents_not_looked_up: {
    about: 'documents were referred to more than a day ago, and nobody has looked for them',
    find: ({ documents: { notLookedUp, notLookedUpSince: since } }, now) => {
      if (notLookedUp === 0) return undefined;
      const isLate = since !== null && now.getTime() - since.getTime() > NOT_LOOKED_UP_MS;
      const words = `${countedBounded(notLookedUp, COUNTED_MAX, 'document')} not looked up yet`;
      return {
        ...{ state: state(isLate), count: bounded(notLookedUp) },
        page: ['documents', { state: 'not_looked_up' }],
        words: isLate ? `${words}, the oldest for more than a day` : words,
      };
    },
  },
  undone: {
    about: 'an import was undone, and nothing was stored since',
    find: ({ isUndone }) =>
      isUndone
        ? { state: 'waiting', count: 1, words: 'an import was undone, nothing stored since' }
        : undefined,
  },
  unknown: {
    about: 'accounts have no control totals',
    find: ({ totals: { accounts, control } }) => {
      const all = accounts.pending + accounts.in_progress + accounts.imported + accounts.failed;
      if (all <= 0) return { state: 'waiting', count: 0, words: 'no account is staged yet' };
      const count = all - control.with;
      if (count <= 0) return undefined;
      const where = control.with > 0 ? ` in ${accountsText(count)}` : '';
      return { state: 'waiting', count, words: `nobody said what must be there${where}` };
    },
  },
} as const satisfies Record<string, Condition>;

export type ConditionName = keyof typeof CONDITIONS;
export const CONDITION_NAMES = Object.keys(CONDITIONS) as ConditionName[];

/** The conditions of a supplier, and its state. */
export interface Judged {
  readonly standing: Standing;
  /** Problems first, the most severe first. */
  readonly conditions: readonly (Found & { readonly name: ConditionName })[];
}

/** Judge a supplier. An archived one has no conditions (choice S11). */
export function judge(facts: SupplierFacts, now: Date): Judged {
  if (facts.supplier.archivedAt) return { standing: 'nothing_missing', conditions: [] };
  const found = CONDITION_NAMES.flatMap((name) => {
    const one: Found | undefined = CONDITIONS[name].find(facts, now);
    return one ? [{ ...one, name }] : [];
  });
  const conditions = (['problem', 'waiting'] as const).flatMap((wanted) =>
    found.filter((one) => one.state === wanted),
  );
  return { standing: conditions[0]?.state ?? 'nothing_missing', conditions };
}

type Urgent = Judged & Pick<SupplierFacts, 'rows'> & { readonly cutOver: CutOver | undefined };

/**
 * Orders suppliers by their state; those of one state by a cut-over within a week, by the number of missing rows, and by their most
 * severe condition and its count.
 */
export function bySeverity(one: Urgent, other: Urgent): number {
  const others = urgencyOf(other);
  const differences = urgencyOf(one).map((value, index) => value - (others[index] ?? 0));
  return differences.find(Boolean) ?? 0;
}

function urgencyOf({ standing, conditions: [first], rows, cutOver }: Urgent): number[] {
  return [
    STANDINGS.indexOf(standing),
    cutOver && cutOver.daysLeft <= CUT_OVER_NEAR_DAYS ? 0 : 1,
    rows ? rows.stored - rows.expected : 0,
    first ? CONDITION_NAMES.indexOf(first.name) : 0,
    -(first?.count ?? 0),
  ];
}

/**
 * Since when no row was stored: since the last one, or since accounts were imported if that was later.
 *
 * @returns undefined while no account is imported
 */
export function quietSince({ totals, pace }: SupplierFacts, now: Date): Date | undefined {
  const known = [totals.lastRequestAt, pace.lastImportedAt].flatMap((time) => time?.getTime() ?? []);
  if (known.length > 0) return new Date(Math.max(...known));
  return totals.accounts.imported > 0 ? new Date(now.getTime() - KNOWN_IMPORTS_MS) : undefined;
}

export function secondsSince(time: Date, now: Date): number {
  return Math.max(0, (now.getTime() - time.getTime()) / 1_000);
}

/** A condition as a sentence without its full stop; pages show the parts. */
export function conditionText({ words, noneSince, cause }: Found): string {
  const since = noneSince ? `${NONE_SINCE}${formatDateTime(noneSince)}` : '';
  return `${words}${since}${cause ? causeText(cause) : ''}`;
}

/** Follows the words of a condition. */
export const NONE_SINCE = ', none stored since ';

/** Follows the words of a condition. */
export function causeText({ words, count }: CommonestCause): string {
  return `, most often “${words.replace(/[.\s]+$/, '')}” (${boundedText(count, COUNTED_MAX)})`;
}

function problem(count: number, found: Omit<Found, 'state' | 'count'>): Found | undefined {
  return count > 0 ? { state: 'problem', count, ...found } : undefined;
}

function wrongTotals(name: 'too_many' | 'wrong_amount', count: number, what: string): Found | undefined {
  const words = `${accountsText(count)} ${count === 1 ? 'has' : 'have'} ${what}`;
  return problem(count, { words, page: ['differences', { state: name }] });
}

/** `10 minutes`, `2 hours`, `3 days` */
function minutesText(minutes: number): string {
  if (minutes < 120) return countedBounded(minutes, Infinity, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}
