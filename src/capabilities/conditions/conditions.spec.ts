import { readFileSync } from 'node:fs';
import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import { forecast } from '../totals/forecast.js';
import { rowProgress } from '../totals/row-progress.js';
import type { SupplierTotals } from '../totals/totals.types.js';
import { bySeverity, CONDITIONS, conditionText, judge } from './conditions.js';
import { cutOverOf, cutOverText } from './cut-over.js';
import type { JudgedSupplier, SupplierFacts } from './facts.types.js';
import { nextStep } from './next-step.js';

const NOW = new Date('2026-11-02T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const [NONE, ONE, SEVEN] = [0, 1, 7].map((count) => ({ count, isMore: false })) as [Count, Count, Count];
const MANY = { count: 1_000, isMore: true };

type Count = SupplierFacts['refusals'];

interface Parts extends Partial<Omit<SupplierFacts, 'supplier' | 'totals' | 'pace' | 'rows'>> {
  readonly supplier?: Partial<JudgedSupplier>;
  readonly accounts?: Partial<SupplierTotals['accounts']>;
  readonly control?: Partial<SupplierTotals['control']>;
  readonly lastRequestAt?: Date | null;
  readonly pace?: Partial<SupplierFacts['pace']>;
  /** Stored and expected transactions. */
  readonly rows?: readonly [stored: number, expected: number];
}

/** Five imported accounts that agree with their control totals, with the given parts instead. */
function factsOf({
  supplier,
  accounts,
  control,
  lastRequestAt,
  pace,
  rows,
  ...others
}: Parts): SupplierFacts {
  const totals = {
    accounts: { pending: 0, in_progress: 0, imported: 5, failed: 0, ...accounts },
    items: { ...forEachItem(() => 0), transactions: rows?.[0] ?? 0 },
    expected: { ...forEachItem(() => null), transactions: rows?.[1] ?? null },
    control: { with: 5, differ: 0, not_imported: 0, incomplete: 0, too_many: 0, wrong_amount: 0, ...control },
    ...{ loadedAccounts: 5, pinnedNotes: 0, lastRequestAt: lastRequestAt ?? null },
  } as SupplierTotals;
  return {
    ...{ totals, rows: rowProgress(totals), forecast: { kind: 'all_loaded' } },
    ...{ refusals: NONE, missingDocuments: NONE, documentsNotLookedUp: { ...NONE, since: null } },
    ...{ refusalCause: null, failureCause: null, lag: { changes: 0, seconds: 0 }, isUndone: false },
    storedInDay: forEachItem(() => 0),
    ...others,
    pace: { pendingSince: null, lastImportedAt: null, minutes: [], ...pace },
    supplier: {
      ...{
        id: 1,
        code: 'S',
        name: 'S',
        status: 'ongoing',
        archivedAt: null,
        cutOver: null,
        quietAfter: 86_400,
      },
      ...supplier,
    },
  };
}

/** The state of a supplier, and its conditions in words. */
function said(parts: Parts): string[] {
  const { standing, conditions } = judge(factsOf(parts), NOW);
  return [standing, ...conditions.map((found) => conditionText(found))];
}

const paused = { status: 'paused' } as const;
const missing = (minutes: number): Parts => ({ rows: [12, 6_000], lastRequestAt: minutesAgo(minutes) });
const MISSING = '5,988 of 6,000 expected rows are missing, none stored since 2026-11-0';
const notLookedUp = (minutes: number): Parts => ({
  documentsNotLookedUp: { ...SEVEN, since: minutesAgo(minutes) },
});
const pending = (since: number, imported: number | null = null): Parts => ({
  accounts: { pending: 2, in_progress: 1 },
  control: { with: 8 },
  pace: {
    pendingSince: minutesAgo(since),
    lastImportedAt: imported === null ? null : minutesAgo(imported),
  },
});
const refusalCause = { words: 'required in notes.body', count: 6 };

describe('the conditions of a supplier', () => {
  it.each<[string, Parts, string[]]>([
    ['everything is there', {}, ['nothing_missing']],
    [
      'accounts failed',
      { accounts: { failed: 1 }, control: { with: 6 } },
      ['problem', 'the import of 1 account has failed'],
    ],
    [
      'the supplier is archived',
      { accounts: { failed: 1 }, supplier: { status: 'complete', archivedAt: NOW } },
      ['nothing_missing'],
    ],
    ['a request was refused', { refusals: ONE }, ['problem', '1 request was rejected in the last hour']],
    [
      'most requests were refused for one cause',
      { refusals: MANY, refusalCause },
      [
        'problem',
        'more than 1,000 requests were rejected in the last hour, most often required in notes.body (6)',
      ],
    ],
    ['rows are missing since yesterday', missing(24 * 60), ['problem', `${MISSING}1T12:00:00Z`]],
    ['rows are missing for less', missing(24 * 60 - 1), ['waiting', `${MISSING}1T12:01:00Z`]],
    [
      'rows are missing at a paused supplier',
      { ...missing(9_000), supplier: paused },
      ['waiting', expect.stringContaining('5,988 of 6,000') as string],
    ],
    [
      'rows are missing after a shorter time',
      { ...missing(30), supplier: { quietAfter: 1_800 } },
      ['problem', `${MISSING}2T11:30:00Z`],
    ],
    [
      'rows are missing and nobody minds',
      { ...missing(9_000), supplier: { quietAfter: null } },
      ['waiting', expect.stringContaining('5,988 of 6,000') as string],
    ],
    [
      'nothing was stored since the import a day ago',
      { rows: [0, 6_000], pace: { lastImportedAt: minutesAgo(1_440) } },
      ['problem', '6,000 of 6,000 expected rows are missing, none stored since 2026-11-01T12:00:00Z'],
    ],
    [
      'nothing was stored since an import that is forgotten',
      { rows: [0, 1] },
      ['problem', '1 of 1 expected rows are missing, none stored since 2026-10-25T12:00:00Z'],
    ],
    [
      'one account has too few rows, another too many',
      { rows: [5, 5], control: { incomplete: 1, too_many: 2, differ: 3 }, lastRequestAt: NOW },
      [
        'problem',
        '2 accounts have too many rows',
        '1 account is not complete, none stored since 2026-11-02T12:00:00Z',
      ],
    ],
    ['an amount differs', { control: { wrong_amount: 1 } }, ['problem', '1 account has another amount']],
    ['accounts wait since 9 minutes', pending(9), ['waiting', '3 accounts are pending']],
    [
      'accounts wait since 10 minutes',
      pending(10),
      ['problem', 'no account was imported for 10 minutes, and 3 accounts are pending'],
    ],
    [
      'accounts wait since long, one was imported now',
      pending(10_000, 0),
      ['waiting', '3 accounts are pending'],
    ],
    [
      'accounts wait since long, one was imported up to 10 minutes ago',
      pending(10_000, 11),
      ['problem', 'no account was imported for 10 minutes, and 3 accounts are pending'],
    ],
    [
      'accounts wait since days',
      pending(10_000),
      ['problem', 'no account was imported for 6 days, and 3 accounts are pending'],
    ],
    [
      'accounts wait at a paused supplier',
      { ...pending(10_000), supplier: paused },
      ['waiting', 'the supplier is paused, and 3 accounts are pending'],
    ],
    ['documents are missing', { missingDocuments: ONE }, ['problem', '1 missing document']],
    [
      'documents are not looked up for a day',
      notLookedUp(1_440),
      ['waiting', '7 documents not looked up yet'],
    ],
    [
      'documents are not looked up for longer',
      notLookedUp(1_441),
      ['problem', '7 documents not looked up yet, the oldest for more than a day'],
    ],
    [
      'a reader is behind',
      { lag: { changes: 9, seconds: 900 } },
      ['problem', 'a reader of the feed is 15 minutes behind'],
    ],
    ['a reader is nearly up to date', { lag: { changes: 9, seconds: 899 } }, ['nothing_missing']],
    [
      'an import was undone',
      { isUndone: true },
      ['waiting', 'an import was undone, and no row was stored since'],
    ],
    [
      'an account has no control totals',
      { control: { with: 4 } },
      ['waiting', 'nobody said what must be there in 1 account'],
    ],
    [
      'no account has control totals',
      { control: { with: 0 } },
      ['waiting', 'nobody said what must be there'],
    ],
    [
      'nothing is staged',
      { accounts: { imported: 0 }, control: { with: 0 } },
      ['waiting', 'no account is staged yet'],
    ],
  ])('when %s', (_what, parts, expected) => {
    expect(said(parts)).toEqual(expected);
  });

  it('order the suppliers: problems by severity and count, then those that wait, then the others', () => {
    const ordered = [
      {},
      { control: { with: 0 } },
      { refusals: ONE },
      { refusals: SEVEN },
      { accounts: { failed: 1 }, control: { with: 6 } },
    ].map((parts: Parts, index) => ({ index, ...judge(factsOf(parts), NOW) }));
    expect(ordered.toSorted(bySeverity).map(({ index }) => index)).toEqual([4, 3, 2, 1, 0]);
  });

  it('never say that nothing is imported while there is a forecast', () => {
    const both = [0, 2, 3, 4, 9, 11, 29].map((last) => {
      const lastImportedAt = minutesAgo(last);
      const items = forEachItem(() => 0);
      const facts = factsOf(pending(60, last));
      const found = forecast(NOW, 'ongoing', facts.totals, {
        ...facts.pace,
        minutes: [{ minute: lastImportedAt, items, imported: 5 }],
      });
      return `${found.kind} ${judge(facts, NOW).standing}`;
    });
    expect([...new Set(both)].sort()).toEqual(['at waiting', 'stopped problem', 'stopped waiting']);
  });

  it('are the ones that docs/alerts.md and the tests of the alerts name', () => {
    const alerts = readFileSync('docs/alerts.md', 'utf8');
    const tests = readFileSync('deploy/prometheus/alerts.test.yml', 'utf8');
    const listed = [...alerts.matchAll(/^ {2}\| `(\w+)` \| (.+) \|$/gm)].map(([, name, when]) => [
      name,
      when,
    ]);
    const problems = Object.entries(CONDITIONS).filter(([name]) => name !== 'undone' && name !== 'unknown');
    expect(listed.slice(0, -1)).toEqual(problems.map(([name, { about }]) => [name, about]));
    for (const [name] of listed) expect(tests).toContain(`condition="${name}"`);
  });
});

describe('the cut-over of a supplier', () => {
  it.each<[string, Parts, string | undefined]>([
    ['without a day', missing(0), undefined],
    [
      'in ten days',
      { ...missing(0), supplier: { cutOver: '2026-11-12' } },
      '2026-11-12, 10 days left: 599 rows a day are needed, 40 were stored in the last day',
    ],
    [
      'today',
      { ...missing(0), supplier: { cutOver: '2026-11-02' } },
      '2026-11-02, today: 5,988 rows a day are needed, 40 were stored in the last day',
    ],
    ['yesterday', { rows: [5, 5], supplier: { cutOver: '2026-11-01' } }, '2026-11-01, 1 day ago'],
    ['without control totals', { supplier: { cutOver: '2026-11-12' } }, '2026-11-12, 10 days left'],
  ])('%s', (_when, parts, expected) => {
    const storedInDay = { ...forEachItem(() => 7), transactions: 40 };
    const found = cutOverOf(factsOf({ ...parts, storedInDay }), '2026-11-02');
    expect(found && cutOverText(found)).toBe(expected);
  });
});

describe('the next step', () => {
  it.each<[string, Parts, string, string | null]>([
    ['all agrees', {}, 'complete', 'migration complete S'],
    ['it is complete', { supplier: { status: 'complete' } }, 'none', null],
    ['nobody said what must be there', { control: { with: 0 } }, 'unknown', null],
    ['an import was undone', { isUndone: true }, 'unknown', null],
    ['an account differs', { control: { too_many: 1 } }, 'differing', 'migration differences S'],
    ['rows are missing', { control: { incomplete: 1 } }, 'load', null],
    ['documents are missing', { missingDocuments: ONE }, 'documents', 'documents check S'],
    [
      'it is paused with something missing',
      { supplier: paused, control: { incomplete: 1 } },
      'resume',
      'supplier set S --status ongoing',
    ],
    ['accounts are pending', { accounts: { pending: 1 } }, 'import', 'accounts import S'],
    ['accounts failed', { accounts: { failed: 1 } }, 'retry', 'accounts retry S --all'],
    ['nothing is staged', { accounts: { imported: 0 } }, 'stage', 'accounts stage S FILE'],
  ])('when %s', (_what, parts, step, command) => {
    expect(nextStep(factsOf(parts))).toMatchObject({ step, command });
  });
});
