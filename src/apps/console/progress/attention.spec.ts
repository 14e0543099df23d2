import type { SupplierStatus } from '../../../import-suppliers/import-supplier.entity.js';
import { forEachItem } from '../../../infrastructure/item-names/item-names.js';
import { attention, type Attention } from './attention.js';
import { forecast, type Pace } from '../../../capabilities/totals/forecast.js';
import type { SupplierTotals } from '../../../capabilities/totals/totals.types.js';
import type { SupplierProgress, SupplierSigns } from './progress.types.js';

const NOW = new Date('2026-11-02T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const [NONE, ONE, SEVEN] = [0, 1, 7].map((count) => ({ count, isMore: false })) as [Count, Count, Count];
const MANY = { count: 1_000, isMore: true };

type Count = SupplierSigns['refusals'];

interface Parts {
  readonly code?: string;
  readonly status?: SupplierStatus;
  readonly archivedAt?: Date;
  readonly accounts?: Partial<SupplierProgress['totals']['accounts']>;
  readonly signs?: Partial<SupplierSigns>;
  readonly pace?: Partial<Pace>;
}

function progressOf({
  code = 'S',
  status = 'ongoing',
  archivedAt,
  accounts,
  signs,
  pace,
}: Parts): SupplierProgress {
  return {
    supplier: { code, name: code, status, archivedAt },
    totals: { accounts: { pending: 0, in_progress: 0, imported: 5, failed: 0, ...accounts } },
    signs: {
      ...{ refusals: NONE, missingDocuments: NONE, documentsNotLookedUp: { ...NONE, since: null } },
      ...signs,
    },
    pace: { pendingSince: null, lastImportedAt: null, minutes: [], ...pace },
  } as SupplierProgress;
}

const failed = (count: number): Parts => ({ accounts: { failed: count } });
const notLookedUpFor = (minutes: number): Parts => ({
  signs: { documentsNotLookedUp: { ...SEVEN, since: minutesAgo(minutes) } },
});
const found = (parts: Parts): Attention[] => attention(NOW, [progressOf(parts)], []);
const kinds = (all: readonly Attention[]): string[] =>
  all.map((one) => (one.kind === 'key' ? `key ${one.label}` : `${one.kind} ${one.supplier.code}`));

describe('what needs attention', () => {
  it('is nothing while everything is imported', () => {
    expect(found({})).toEqual([]);
    expect(attention(NOW, [], [])).toEqual([]);
  });

  it.each<[string, Parts, object | undefined]>([
    ['no failed account', failed(0), undefined],
    ['one failed account', failed(1), { kind: 'failed', accounts: 1 }],
    [
      'a million of a complete supplier',
      { status: 'complete', ...failed(1_000_000) },
      { kind: 'failed', accounts: 1_000_000 },
    ],
    ['one of an archived supplier', { status: 'complete', archivedAt: NOW, ...failed(1) }, undefined],
    ['a refusal', { signs: { refusals: ONE } }, { kind: 'refused', count: ONE }],
    ['more refusals than are counted', { signs: { refusals: MANY } }, { kind: 'refused', count: MANY }],
    ['a paused supplier with nothing pending', { status: 'paused' }, undefined],
    [
      'a paused supplier with a pending account',
      { status: 'paused', accounts: { pending: 1 }, pace: { pendingSince: minutesAgo(60) } },
      { kind: 'not_ongoing', accounts: 1 },
    ],
    ['a missing document', { signs: { missingDocuments: ONE } }, { kind: 'missing', count: ONE }],
    ['a document not looked up for a day', notLookedUpFor(24 * 60), undefined],
    [
      'a document not looked up for longer',
      notLookedUpFor(24 * 60 + 1),
      { kind: 'not_looked_up', count: SEVEN },
    ],
  ])('%s', (_what, parts, expected) => {
    expect(found(parts)).toMatchObject(expected ? [expected] : []);
    expect(found(parts)).toHaveLength(expected ? 1 : 0);
  });

  it.each([
    ['9 minutes ago', minutesAgo(9), null, undefined],
    ['10 minutes ago', minutesAgo(10), null, 10],
    ['a week ago', minutesAgo(7 * 24 * 60), null, 24 * 60],
    ['a week ago, one imported in the current minute', minutesAgo(10_000), minutesAgo(0), undefined],
    ['a week ago, one imported up to 9 minutes ago', minutesAgo(10_000), minutesAgo(10), undefined],
    ['a week ago, one imported up to 10 minutes ago', minutesAgo(10_000), minutesAgo(11), 10],
    ['12 minutes ago, one imported before', minutesAgo(12), minutesAgo(300), 12],
  ])('an account staged %s', (_when, pendingSince, lastImportedAt, minutes) => {
    const expected = minutes === undefined ? [] : [{ kind: 'no_progress', accounts: 3, minutes }];
    const parts = { accounts: { pending: 2, in_progress: 1 }, pace: { pendingSince, lastImportedAt } };
    expect(found(parts)).toMatchObject(expected);
    expect(found(parts)).toHaveLength(expected.length);
  });

  it('never says that nothing is imported while there is a forecast (C12)', () => {
    const said: string[] = [];
    for (const lastImported of [undefined, 0, 2, 3, 4, 9, 11, 29]) {
      for (const pendingSince of [0, 9, 10, 60]) {
        for (const expected of [null, 10]) {
          const lastImportedAt = lastImported === undefined ? null : minutesAgo(lastImported);
          const items = { ...forEachItem(() => 0), transactions: 5 };
          const minutes = [
            ...(lastImportedAt ? [{ minute: lastImportedAt, items: forEachItem(() => 0), imported: 5 }] : []),
            { minute: minutesAgo(0), items, imported: 0 },
          ];
          const pace = { pendingSince: minutesAgo(pendingSince), lastImportedAt, minutes };
          const progress = progressOf({ accounts: { pending: 1 }, pace });
          const totals = {
            ...progress.totals,
            ...{ items, expected: { ...forEachItem(() => null), transactions: expected } },
            ...{ control: { differ: 1 }, pinnedNotes: 0, lastRequestAt: NOW },
          } as unknown as SupplierTotals;
          const isStopped = attention(NOW, [progress], []).some(({ kind }) => kind === 'no_progress');
          const { kind } = forecast(NOW, 'ongoing', totals, pace);
          said.push(`${kind}${isStopped ? ' and an alert' : ''}`);
        }
      }
    }
    expect([...new Set(said)].sort()).toEqual(['at', 'stopped', 'stopped and an alert']);
  });

  it('begins with the most urgent, and keeps the order of the suppliers', () => {
    const everything = (code: string): SupplierProgress =>
      progressOf({
        code,
        accounts: { pending: 1, failed: 1 },
        pace: { pendingSince: minutesAgo(60) },
        signs: {
          ...{ refusals: ONE, missingDocuments: ONE },
          documentsNotLookedUp: { ...MANY, since: minutesAgo(10_000) },
        },
      });
    const paused = progressOf({ code: 'P', status: 'paused', accounts: { pending: 1 } });
    const key = { organisation: 'O', label: 'L', expiresAt: NOW };
    expect(kinds(attention(NOW, [paused, everything('A'), everything('B')], [key]))).toEqual([
      ...['no_progress A', 'no_progress B', 'failed A', 'failed B', 'refused A', 'refused B'],
      ...['key L', 'not_ongoing P', 'missing A', 'missing B', 'not_looked_up A', 'not_looked_up B'],
    ]);
  });
});
