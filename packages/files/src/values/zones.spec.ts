import fc from 'fast-check';
import { runs } from '../../../../test/support/runs.js';
import { WrongUsage } from '../common/errors.js';
import { Zone } from './zones.js';

const NAMES = [
  'Europe/London',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'UTC',
];

/** The time that the clocks of a zone show at an instant, as if it were UTC. */
function shown(name: string, instant: number): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day, hour, minute, second] = ['year', 'month', 'day', 'hour', 'minute', 'second'].map(
    (type) => parts.get(type as Intl.DateTimeFormatPartTypes) ?? NaN,
  );
  return Date.UTC(year!, month! - 1, day, hour, minute, second);
}

describe('a time zone', () => {
  const zones = new Map(NAMES.map((name) => [name, new Zone(name, 'timezone')]));
  const instant = fc
    .integer({ min: Date.UTC(1950, 0, 1) / 900_000, max: Date.UTC(2037, 0, 1) / 900_000 })
    .map((quarters) => quarters * 900_000);

  it('finds every instant at which its clocks show a time, and no other (L16)', () => {
    fc.assert(
      fc.property(fc.constantFrom(...NAMES), instant, (name, at) => {
        const local = shown(name, at);
        const found = zones.get(name)!.instantsOf(local);
        expect(found).toContain(at);
        const quarters = Array.from({ length: 8 * 28 + 1 }, (_, index) => local + (index - 112) * 900_000);
        expect(found).toEqual(quarters.filter((other) => shown(name, other) === local));
      }),
      { numRuns: runs(50) },
    );
  });

  it.each([
    ['Europe/London', '2026-03-29T00:59:59Z', ['2026-03-29T00:59:59.000Z']],
    ['Europe/London', '2026-03-29T01:00:00Z', []],
    ['Europe/London', '2026-03-29T01:59:59Z', []],
    ['Europe/London', '2026-03-29T02:00:00Z', ['2026-03-29T01:00:00.000Z']],
    ['Europe/London', '2026-10-25T00:59:59Z', ['2026-10-24T23:59:59.000Z']],
    ['Europe/London', '2026-10-25T01:00:00Z', ['2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z']],
    ['Europe/London', '2026-10-25T02:00:00Z', ['2026-10-25T02:00:00.000Z']],
    ['America/Sao_Paulo', '2017-10-15T00:00:00Z', []],
    ['Pacific/Apia', '2011-12-30T12:00:00Z', []],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', ['2025-12-31T18:15:00.000Z']],
  ])('of %s shows %s at %j (L16)', (name, local, instants) => {
    const found = zones.get(name)!.instantsOf(Date.parse(local));
    expect(found.map((at) => new Date(at).toISOString())).toEqual(instants);
  });

  it.each(['BST', 'EST', 'CET', 'Europe/Londom', '+01:00', ''])('%j is none (L16)', (name) => {
    expect(() => new Zone(name, 'mapping.json: notes.timezone')).toThrow(WrongUsage);
    expect(() => new Zone(name, 'mapping.json: notes.timezone')).toThrow('notes.timezone');
  });
});
