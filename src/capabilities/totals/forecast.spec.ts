import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import { forecast, forecastWords, paceSince, type Forecast, type Pace } from './forecast.js';
import type { SupplierTotals } from './totals.types.js';

const NOW = new Date('2026-11-02T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

interface Parts {
  readonly accounts?: Partial<SupplierTotals['accounts']>;
  /** The stored transactions, and the expected ones when they are known. */
  readonly stored?: number;
  readonly expected?: number | null;
  readonly lastRequestAt?: Date | null;
}

function totalsOf({ accounts, stored = 0, expected = null, lastRequestAt = null }: Parts): SupplierTotals {
  return {
    accounts: { pending: 0, in_progress: 0, imported: 0, failed: 0, ...accounts },
    items: { ...forEachItem(() => 0), transactions: stored },
    expected: { ...forEachItem(() => null), transactions: expected },
    control: { differ: 1 },
    ...{ pinnedNotes: 0, lastRequestAt },
  } as unknown as SupplierTotals;
}

/** @param minutes how long ago each began, and the accounts imported and the transactions stored in it */
function paceOf(
  minutes: readonly (readonly [ago: number, imported: number, transactions: number])[],
  lastImportedAt: Date | null = null,
): Pace {
  const found = minutes.map(([ago, imported, transactions]) => ({
    ...{ minute: minutesAgo(ago), imported },
    items: { ...forEachItem(() => 0), transactions },
  }));
  const last = found.findLast(({ imported }) => imported > 0)?.minute ?? lastImportedAt;
  return { pendingSince: minutesAgo(60), lastImportedAt: last, minutes: found };
}

const NEVER = paceOf([]);
const PENDING: Parts = { accounts: { pending: 1 } };
const BOTH: Parts = { accounts: { pending: 1, imported: 1 }, stored: 5, expected: 10 };

function textOf(found: Forecast): string {
  if (found.kind === 'at') return `${found.of} ${found.at.toISOString().slice(0, 16)}`;
  return found.kind === 'stopped' ? `no ${found.of}` : found.kind;
}

const forecastAt = (totals: Parts, pace: Pace): string =>
  textOf(forecast(NOW, 'ongoing', totalsOf(totals), pace));

describe('the forecast of a migration', () => {
  it.each([
    [1, 30, 'accounts 2026-11-02T12:01'],
    [60, 30, 'accounts 2026-11-02T13:00'],
    [1_000_000, 1_000_000, 'accounts 2026-11-02T12:30'],
    [1_000_000, 100, 'accounts 2027-05-29T20:00'],
    [17_520, 1, 'accounts 2027-11-02T12:00'],
    [17_521, 1, 'more_than_a_year'],
  ])('is, for %d pending accounts of which %d were imported in 30 minutes, %s (C12)', (pending, done, at) => {
    const pace = paceOf([30, 1].map((ago) => [ago, done / 2, 0]));
    expect(forecastAt({ accounts: { pending } }, pace)).toBe(at);
  });

  it('is about rows when control totals say how many there will be (C12)', () => {
    const pace = paceOf([30, 1].map((ago) => [ago, 0, 500]));
    const accounts = { imported: 5, failed: 1 };
    expect(forecastAt({ accounts, stored: 1_000, expected: 3_000 }, pace)).toBe('rows 2026-11-02T13:00');
    expect(forecastAt({ accounts, stored: 3_000, expected: 3_000 }, pace)).toBe('all_loaded');
    expect(forecastAt({ accounts, stored: 1_000, expected: null }, pace)).toBe('all_imported');
  });

  it('takes the rate since the first progress when that is later than half an hour ago (C12)', () => {
    const pace = paceOf([2, 1].map((ago) => [ago, 0, 100]));
    expect(forecastAt({ accounts: { imported: 1 }, stored: 200, expected: 1_200 }, pace)).toBe(
      'rows 2026-11-02T12:10',
    );
  });

  it('counts the accounts that are in progress as pending, and leaves out the failed ones', () => {
    const pace = paceOf([30, 1].map((ago) => [ago, 30, 0]));
    expect(forecastAt({ accounts: { pending: 30, in_progress: 30, failed: 1_000 } }, pace)).toBe(
      'accounts 2026-11-02T12:30',
    );
  });

  it.each<[string, Parts, Pace, string]>([
    ['no account was imported', PENDING, NEVER, 'no accounts'],
    ['rows arrive while pending accounts are not imported', BOTH, paceOf([[1, 0, 5]]), 'no accounts'],
    ['accounts are imported, and no row arrives', BOTH, paceOf([[1, 1, 0]]), 'no rows'],
    ['both arrive', BOTH, paceOf([[1, 1, 5]]), 'rows 2026-11-02T12:01'],
    ['no account is staged', {}, NEVER, 'no_accounts'],
    ['none is pending', { accounts: { imported: 1 } }, NEVER, 'all_imported'],
    ['one has failed', { accounts: { failed: 1 } }, NEVER, 'all_imported'],
  ])('when %s (C12)', (_when, totals, pace, expected) => {
    expect(forecastAt(totals, pace)).toBe(expected);
  });

  it.each(['paused', 'complete'] as const)('is not made while the supplier is %s', (status) => {
    const pace = paceOf([[1, 1, 1]]);
    expect(forecast(NOW, status, totalsOf({ accounts: { pending: 1 } }), pace)).toEqual({
      kind: 'not_ongoing',
    });
    const imported = totalsOf({ accounts: { imported: 1 } });
    expect(forecast(NOW, status, imported, pace)).toEqual({ kind: 'all_imported' });
  });

  it.each([
    [3.99, 'rows'],
    [4, 'no rows'],
  ])('of rows in the minute that began %d minutes ago is about %s (C12)', (ago, expected) => {
    const found = forecastAt({ accounts: { imported: 1 }, stored: 5, expected: 10 }, paceOf([[ago, 0, 5]]));
    expect(found.replace(/ 2026.*/, '')).toBe(expected);
  });

  it('says since when there is no progress, and does not change while nothing happens (C12)', () => {
    const last = new Date('2026-11-02T11:55:00Z');
    const pace = paceOf([[5, 7, 0]], last);
    const words = (now: Date): unknown =>
      forecastWords(forecast(now, 'ongoing', totalsOf({ accounts: { pending: 1 } }), pace));
    const expected = { before: 'No account imported since', at: last, after: '.' };
    expect(words(NOW)).toEqual(expected);
    expect(words(new Date(NOW.getTime() + 3_600_000))).toEqual(expected);
  });

  it('counts the whole minutes of the last half hour, and the seconds of the current minute that have passed', () => {
    expect(paceSince(new Date('2026-11-02T12:00:59.999Z'))).toEqual(new Date('2026-11-02T11:30:00Z'));
  });
});
