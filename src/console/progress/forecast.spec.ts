import { forecast, forecastSince } from './forecast.js';

const AS_OF = new Date('2026-11-02T12:00:00Z');

const accounts = (pending: number, in_progress = 0, imported = 0, failed = 0) => ({
  ...{ pending, in_progress, imported, failed },
});

/** @param importedRecently in the 30 minutes before AS_OF */
function forecastAt(pending: number, importedRecently: number): string {
  const found = forecast(AS_OF, 'ongoing', accounts(pending, 0, importedRecently), importedRecently);
  return found.kind === 'at' ? found.at.toISOString() : found.kind;
}

describe('the forecast of an import', () => {
  it.each([
    [1, 1, '2026-11-02T12:30:00.000Z'],
    [1, 30, '2026-11-02T12:01:00.000Z'],
    [1, 1_000_000, '2026-11-02T12:01:00.000Z'],
    [60, 30, '2026-11-02T13:00:00.000Z'],
    [1_000_000, 1_000_000, '2026-11-02T12:30:00.000Z'],
    [1_000_000, 100, '2027-05-29T20:00:00.000Z'],
    [1_000_000, 1, 'more_than_a_year'],
    [17_520, 1, '2027-11-02T12:00:00.000Z'],
    [17_521, 1, 'more_than_a_year'],
    [1, 0, 'no_progress'],
    [1_000_000, 0, 'no_progress'],
  ])(
    'for %d pending accounts, of which %d were imported in the last 30 minutes, is %s',
    (pending, recently, at) => {
      expect(forecastAt(pending, recently)).toBe(at);
    },
  );

  it('takes the accounts that are in progress as pending, and leaves the failed ones out', () => {
    const found = forecast(AS_OF, 'ongoing', accounts(30, 30, 0, 1_000), 60);
    expect(found).toEqual({ kind: 'at', at: new Date('2026-11-02T12:30:00Z') });
  });

  it.each([
    [accounts(0), 'no_accounts'],
    [accounts(0, 0, 1), 'nothing_pending'],
    [accounts(0, 0, 0, 1), 'nothing_pending'],
  ])('of %j is %s', (counts, kind) => {
    expect(forecast(AS_OF, 'ongoing', counts, 1)).toEqual({ kind });
  });

  it.each(['paused', 'complete'] as const)('is not made while the supplier is %s', (status) => {
    expect(forecast(AS_OF, status, accounts(1), 1)).toEqual({ kind: 'not_ongoing' });
    expect(forecast(AS_OF, status, accounts(0, 0, 1), 1)).toEqual({ kind: 'nothing_pending' });
  });

  it('counts the whole minutes of the last half hour, and those seconds of the present one that have passed', () => {
    const asOf = new Date('2026-11-02T12:00:59.999Z');
    expect(forecastSince(asOf)).toEqual(new Date('2026-11-02T11:30:00Z'));
    expect(forecast(asOf, 'ongoing', accounts(31), 31)).toEqual({
      kind: 'at',
      at: new Date('2026-11-02T12:32:00Z'),
    });
  });
});
