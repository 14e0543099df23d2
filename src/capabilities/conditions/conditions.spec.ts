import { readFileSync } from 'node:fs';
import { forEachItem } from '../../infrastructure/item-names/item-names.js';
import { forecast } from '../totals/forecast.js';
import { rowProgress } from '../totals/row-progress.js';
import type { SupplierTotals } from '../totals/totals.types.js';
import { bySeverity, CONDITIONS, conditionText, judge } from './conditions.js';
import { cutOverOf, cutOverText } from './cut-over.js';
import type { JudgedSupplier, SupplierFacts } from './facts.types.js';
import { nextSteps } from './next-step.js';

const NOW = new Date('2026-11-02T12:00:00Z');
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);
const NONE = { missing: 0, notLookedUp: 0, notLookedUpSince: null };

interface Parts extends Partial<Omit<SupplierFacts, 'supplier' | 'totals' | 'pace' | 'rows'>> {
  readonly supplier?: Partial<JudgedSupplier>;
  readonly accounts?: Partial<SupplierTotals['accounts']>;
  readonly control?: Partial<SupplierTotals['control']>;
  readonly lastRequestAt?: Date | null;
  readonly pace?: Partial<SupplierFacts['pace']>;
  /** Stored and expected transactions. */
  readonly rows?: readonly [stored: number, expected: number];
}

const SUPPLIER: JudgedSupplier = {
  ...({ id: 1, code: 'S', name: 'S', status: 'ongoing' } as const),
  ...{ archivedAt: null, cutOver: null, quietAfter: 86_400 },
};

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
    ...{ refusals: 0, documents: NONE },
    ...{ refusalCause: null, failureCause: null },
    ...{ lag: { changes: 0, seconds: 0 }, isUndone: false },
    storedInDay: forEachItem(() => 0),
    ...others,
    pace: { pendingSince: null, lastImportedAt: null, minutes: [], ...pace },
    supplier: { ...SUPPLIER, ...supplier },
  };
}

/** The state of a supplier, and its conditions in words. */
function said(parts: Parts): string[] {
  const { standing, conditions } = judge(factsOf(parts), NOW);
  return [standing, ...conditions.map((found) => conditionText(found))];
}

const paused = { status: 'paused' } as const;
const missing = (minutes: number): Parts => ({ rows: [12, 6_000], lastRequestAt: minutesAgo(minutes) });
const quiet = (minutes: number, quietAfter: number | null): Parts => ({
  ...missing(minutes),
  supplier: { quietAfter },
});
const notLookedUp = (minutes: number): Parts => ({
  documents: { ...NONE, notLookedUp: 7, notLookedUpSince: minutesAgo(minutes) },
});
const imported = (minutes: number): Parts['pace'] => ({ lastImportedAt: minutesAgo(minutes) });
const pending = (since: number, pace?: Parts['pace']): Parts => ({
  accounts: { pending: 2, in_progress: 1 },
  control: { with: 8 },
  pace: { pendingSince: minutesAgo(since), ...pace },
});
const late = (seconds: number): Parts => ({ lag: { changes: 9, seconds } });
const failed = { accounts: { failed: 1 }, control: { with: 6 } };
const archived = { status: 'complete', archivedAt: NOW } as const;
const unstaged = { accounts: { imported: 0 }, control: { with: 0 } };
const failureCause = { words: 'The number begins with A.', count: 1_001 };
const refusalCause = { words: 'required in notes.body', count: 6 };
const WAITING = ['undone', 'unknown'];
const ONE_LACKS = { incomplete: 1 };
const differing = { incomplete: 1, too_many: 2, differ: 3 };

const stopped = (time: string): string => `no account was imported for ${time}, and 3 accounts are pending`;
const lacking = (rows: string, since: string): string =>
  `${rows} expected rows are missing, none stored since 2026-${since}:00Z`;
const lackingMost = (since: string): string => lacking('5,988 of 6,000', since);
const CAUSE =
  'more than 1,000 requests were rejected in the last hour, most often “required in notes.body” (6)';
const NONE_YET = '6 of 6 expected rows are missing, none stored yet';
const FAILED = '1 account failed, most often “The number begins with A” (more than 1,000)';
const INCOMPLETE = '1 account is not complete, none stored since 2026-11-02T12:00:00Z';
const UNKNOWN = 'nobody said what must be there';
const ONE_UNKNOWN = `${UNKNOWN} in 1 account`;
const OLD_DOCUMENTS = '7 documents not looked up yet, the oldest for more than a day';

describe('the conditions of a supplier', () => {
  it.each<[string, Parts, ...string[]]>([
    ['everything is there', {}, 'nothing_missing'],
    ['accounts failed', failed, 'problem', '1 account failed'],
    ['the supplier is archived', { ...failed, supplier: archived }, 'nothing_missing'],
    ['accounts failed for one cause', { ...failed, failureCause }, 'problem', FAILED],
    ['a request was refused', { refusals: 1 }, 'problem', '1 request was rejected in the last hour'],
    ['most requests were refused for one cause', { refusals: 1_001, refusalCause }, 'problem', CAUSE],
    ['rows are missing since yesterday', missing(24 * 60), 'problem', lackingMost('11-01T12:00')],
    ['rows are missing for less', missing(24 * 60 - 1), 'waiting', lackingMost('11-01T12:01')],
    [
      'it is paused',
      { ...missing(9_000), supplier: paused },
      ...['waiting', 'the supplier is paused, and 5,988 of 6,000 expected rows are missing'],
    ],
    [
      'they are being stored',
      { ...quiet(1, 30), forecast: { kind: 'at', of: 'rows', at: NOW } },
      ...['waiting', '5,988 of 6,000 expected rows are missing, loading'],
    ],
    ['it may be quiet for less', quiet(30, 1_800), 'problem', lackingMost('11-02T11:30')],
    ['it may always be quiet', quiet(9_000, null), 'waiting', lackingMost('10-27T06:00')],
    ['none came since an import', { rows: [0, 6], pace: imported(1_440) }, 'problem', NONE_YET],
    ['none came since a forgotten one', { rows: [0, 6] }, 'problem', NONE_YET],
    [
      'they came only before',
      { ...missing(9_000), pace: imported(1) },
      'waiting',
      lackingMost('10-27T06:00'),
    ],
    [
      'one account has too few rows, another too many',
      { rows: [5, 5], control: differing, lastRequestAt: NOW },
      ...['problem', '2 accounts have too many rows', INCOMPLETE],
    ],
    ['an amount differs', { control: { wrong_amount: 1 } }, 'problem', '1 account has another amount'],
    ['accounts wait since 9 minutes', pending(9), 'waiting', '3 accounts are pending'],
    ['accounts wait since 10 minutes', pending(10), 'problem', stopped('10 minutes')],
    ['one was imported now', pending(10_000, imported(0)), 'waiting', '3 accounts are pending'],
    ['one was imported before', pending(10_000, imported(11)), 'problem', stopped('10 minutes')],
    ['accounts wait since days', pending(10_000), 'problem', stopped('6 days')],
    [
      'accounts wait at a paused supplier',
      { ...pending(10_000), supplier: paused },
      ...['waiting', 'the supplier is paused, and 3 accounts are pending'],
    ],
    ['documents are missing', { documents: { ...NONE, missing: 1 } }, 'problem', '1 missing document'],
    ['none is looked up for a day', notLookedUp(1_440), 'waiting', '7 documents not looked up yet'],
    ['none is looked up for longer', notLookedUp(1_441), 'problem', OLD_DOCUMENTS],
    ['a reader is behind', late(900), 'problem', 'a reader of the feed is 15 minutes behind'],
    ['a reader is nearly up to date', late(899), 'nothing_missing'],
    ['it is undone', { isUndone: true }, 'waiting', 'an import was undone, nothing stored since'],
    ['one has no totals', { control: { with: 4 } }, 'waiting', ONE_UNKNOWN],
    ['none has totals', { control: { with: 0 } }, 'waiting', UNKNOWN],
    ['nothing is staged', unstaged, 'waiting', 'no account is staged yet'],
  ])('when %s', (_what, parts, ...expected) => {
    expect(said(parts)).toEqual(expected);
  });

  it('order the suppliers: by state, by a cut-over within a week, by missing rows, then by condition and count', () => {
    const ordered = [
      {},
      { control: { with: 0 } },
      missing(60),
      { refusals: 1 },
      { refusals: 7 },
      { accounts: { failed: 1 }, control: { with: 6 } },
      missing(2_000),
      { refusals: 1, supplier: { cutOver: '2026-11-09' } },
      { refusals: 2, supplier: { cutOver: '2026-11-10' } },
    ].map((parts: Parts, index) => {
      const facts = factsOf(parts);
      return { index, ...facts, ...judge(facts, NOW), cutOver: cutOverOf(facts, '2026-11-02') };
    });
    expect(ordered.toSorted(bySeverity).map(({ index }) => index)).toEqual([7, 6, 5, 4, 8, 3, 2, 1, 0]);
  });

  it('never say that nothing is imported while there is a forecast', () => {
    const both = [0, 2, 3, 4, 9, 11, 29].map((last) => {
      const lastImportedAt = minutesAgo(last);
      const items = forEachItem(() => 0);
      const facts = factsOf(pending(60, imported(last)));
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
    const rows = [...alerts.matchAll(/^ {2}\| `(\w+)` \| (.+) \|$/gm)];
    const listed = rows.map(([, name, when]) => [name, when]);
    expect(listed.slice(0, -1)).toEqual(Object.entries(CONDITIONS).map(([name, { about }]) => [name, about]));
    const problems = listed.filter(([name]) => !WAITING.includes(name!));
    for (const [name] of problems) expect(tests).toContain(`condition="${name}"`);
  });
});

describe('the cut-over of a supplier', () => {
  const stored = 'needs 5,988 rows a day (last day: 40)';
  it.each<[string | null, Parts, string | undefined]>([
    [null, missing(0), undefined],
    ['2026-11-12', missing(0), `10 days left: ${stored.replace('5,988', '599')}`],
    ['2026-11-02', missing(0), `today: ${stored}`],
    ['2026-11-01', { rows: [5, 5] }, '1 day ago'],
    ['2026-11-12', {}, '10 days left'],
  ])('%s with %j is %s', (cutOver, parts, expected) => {
    const storedInDay = { ...forEachItem(() => 7), transactions: 40 };
    const found = cutOverOf(factsOf({ ...parts, storedInDay, supplier: { cutOver } }), '2026-11-02');
    expect(found && cutOverText(found)).toBe(expected && `${cutOver}, ${expected}`);
  });
});

describe('the next step', () => {
  it.each<[string, Parts, string, string | null]>([
    ['all agrees', {}, 'complete', 'migration complete S'],
    ['it is complete', { supplier: { status: 'complete' } }, 'none', null],
    ['nobody said what must be there', { control: { with: 0 } }, 'unknown', null],
    ['or why requests were rejected', { control: { with: 0 }, refusals: 1 }, 'correct', null],
    ['an import was undone', { isUndone: true }, 'unknown', null],
    ['an account differs', { control: { too_many: 1 } }, 'differing', 'migration differences S'],
    ['rows are missing', { control: ONE_LACKS, lastRequestAt: NOW }, 'load', null],
    ['they were rejected', { control: ONE_LACKS, refusals: 1, isUndone: true }, 'correct', null],
    ['they were undone', { control: ONE_LACKS, isUndone: true }, 'reload', null],
    ['documents are missing', { documents: { ...NONE, missing: 1 } }, 'documents', 'documents check S'],
    ['it is paused', { supplier: paused, control: ONE_LACKS }, 'resume', 'supplier set S --status ongoing'],
    ['accounts are pending', { accounts: { pending: 1 } }, 'import', 'accounts import S'],
    ['accounts failed', { accounts: { failed: 1 } }, 'retry', 'accounts retry S --all'],
    ['nothing is staged', { accounts: { imported: 0 } }, 'stage', 'accounts stage S FILE'],
  ])('when %s', (_what, parts, step, command) => {
    const facts = factsOf(parts);
    expect(nextSteps({ ...facts, ...judge(facts, NOW) })).toMatchObject([{ step, command }]);
  });

  it('when there are several problems, is one for each', () => {
    const facts = factsOf({ ...failed, control: { with: 6, ...differing, not_imported: 1 }, refusals: 1 });
    const steps = nextSteps({ ...facts, ...judge(facts, NOW) });
    expect(steps.map(({ step }) => step)).toEqual(['retry', 'differing', 'correct']);
  });

  it('when no row comes, is to ask the supplier', () => {
    const facts = factsOf({ ...missing(2_000), control: ONE_LACKS });
    const [{ reason }] = nextSteps({ ...facts, ...judge(facts, NOW) });
    expect(reason).toBe('Ask the supplier why it sends no rows: 1 account is not complete yet.');
  });
});
