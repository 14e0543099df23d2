import fc from 'fast-check';
import type { Row } from '@data-import/files';
import { accountsOf, sourceOf, type Item } from '../../test/support/compared.js';
import { runs } from '../../../../test/support/runs.js';
import type { RefusedField } from '../journal/events.js';
import { FACTS, KINDS, type Kind } from '../kinds/kinds.js';
import { byteOrderOf } from '../rows/account-order.js';
import { canonicalContent } from '../rows/content.js';
import { digestsOf, type AccountEntries } from '../verify/entry.js';
import { check, type CheckedRows, type PlacedRow } from './check.js';

const NUMBERS = ['1', '2', '\uFFFD', '😀'];

const item: fc.Arbitrary<Item> = fc.oneof(
  fc.record({
    kind: fc.constant('transactions' as const),
    account: fc.constantFrom(...NUMBERS),
    fields: fc.record({ amount: fc.constantFrom(1, 2.5), transaction_id: fc.constantFrom('a', 'b') }),
  }),
  fc.record({
    kind: fc.constant('notes' as const),
    account: fc.constantFrom(...NUMBERS),
    fields: fc.record(
      {
        body: fc.constantFrom('x', 'y'),
        created_at: fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
        is_pinned: fc.constant(true),
      },
      { requiredKeys: ['body'] },
    ),
  }),
);

/** The service finds an earlier row with the key of a later one (choices N4, X5). */
function sameKey(stored: readonly Item[], { kind, account, fields }: Item): Item[] {
  const one = fields as Record<string, unknown>;
  return stored.filter((other) => {
    if (other.kind !== kind || other.account !== account) return false;
    const { transaction_id: id, body, created_at: at } = other.fields as Record<string, unknown>;
    if (kind === 'transactions') return id === one.transaction_id;
    return body === one.body && (one.created_at === undefined || at === one.created_at);
  });
}

function isEqual(one: Item, other: Item): boolean {
  const text = ({ kind, fields }: Item): string => canonicalContent(kind, JSON.stringify(fields));
  if (text(one) === text(other)) return true;
  if (one.kind !== 'notes' || 'created_at' in one.fields) return false;
  return canonicalContent('notes', JSON.stringify({ ...other.fields, created_at: undefined })) === text(one);
}

const send = (stored: Item[], one: Item): void => {
  if (sameKey(stored, one).length === 0) stored.push(one);
};

/** The outcome that a check recorded for each row: the codes of its errors, or how often it was sent again. */
type Written = Map<Item, string[]>;

/**
 * Look for rows at a service that has some of them.
 *
 * @param isLost whether rows that are sent again are lost again
 */
async function look(
  rows: readonly Item[],
  stored: Item[],
  isDryRun: boolean,
  isLost: boolean,
): Promise<Written> {
  const written: Written = new Map(rows.map((row) => [row, []]));
  const failed = new Set<Item>();
  let again: Item[] = [];
  const placed = rows.map((one, index) => {
    const text = JSON.stringify(one.fields);
    const place = {
      raw: Buffer.alloc(0),
      start: index,
      end: index + 1,
      origin: { file: 'f', line: index + 1 },
    };
    const row: Row = { account: one.account, item: text, key: undefined, ...place };
    return { one, row, kind: one.kind, file: 0, line: index + 1 };
  });
  const write = (row: Row, what: string): void => {
    const one = rows[row.start];
    if (one) written.get(one)?.push(what);
  };
  const refuted = (_kind: Kind, row: Row, errors: readonly RefusedField[]): void => {
    for (const { code, attr } of errors) write(row, `${code} ${attr}`);
    failed.add(rows[row.start] ?? rows[0]!);
  };
  const checked: CheckedRows = {
    accounts: function* (): Generator<AccountEntries> {
      const numbers = NUMBERS.toSorted((a, b) => (byteOrderOf(a) < byteOrderOf(b) ? -1 : 1));
      for (const account of numbers) {
        const entries = placed
          .filter(({ one }) => one.account === account)
          .map(({ kind, file, line, row }) => ({
            ...{ kind, file, line },
            ...digestsOf(kind, canonicalContent(kind, row.item)),
          }));
        yield { account, order: byteOrderOf(account), entries, end: 0 };
      }
    },
    wanted: () =>
      Promise.resolve(({ line }) => (failed.has(rows[line - 1] ?? rows[0]!) ? undefined : 'arrived')),
    rows: async function* (kind): AsyncGenerator<readonly PlacedRow[]> {
      for (const number of NUMBERS)
        yield await Promise.resolve(placed.filter((one) => one.kind === kind && one.row.account === number));
    },
    ledger: {
      maySendAgain: () => true,
      missed: (_kind, missed) => {
        for (const row of missed) write(row, 'again');
        again.push(...missed.map(({ start }) => rows[start] ?? rows[0]!));
      },
      refuted,
      explained: refuted,
    },
  };
  const content = (account: string): ReturnType<typeof accountsOf>[number] | undefined =>
    accountsOf(NUMBERS, stored).find(({ external_account_number: number }) => number === account);
  await check(checked, {
    source: {
      rows: (account) => Promise.resolve(content(account)),
      digests: (account) => {
        const found = content(account);
        const withDigests = KINDS.map((kind) => {
          const { section } = FACTS[kind];
          const { rows: all = [], ...others } = found?.[section] ?? { count: 0, digest: '' };
          return [section, { ...others, row_digests: all.map(({ digest }) => digest).sort() }];
        });
        const sections = Object.fromEntries(withDigests) as object;
        return Promise.resolve(found && { ...found, ...sections });
      },
      listDigests: () => sourceOf([]).list(undefined, new AbortController().signal),
    },
    concurrency: 2,
    signal: new AbortController().signal,
    isDryRun,
    known: () => undefined,
    sendAgain: (missed) => {
      expect([...missed.keys()].every((kind) => KINDS.includes(kind))).toBe(true);
      if (!isLost) for (const one of again) send(stored, one);
      again = [];
      return Promise.resolve();
    },
    progress: () => undefined,
  });
  return written;
}

/** The outcome that a check must record for a row. */
function expectedOf(one: Item, there: readonly Item[]): 'there' | 'other' | 'missing' {
  const same = sameKey(there, one);
  if (there.some((other) => other.kind === one.kind && other.account === one.account && isEqual(one, other)))
    return 'there';
  return same.length > 0 ? 'other' : 'missing';
}

const outcomeOf = (what: readonly string[]): string =>
  what.some((one) => one.startsWith('stored_with_other_content'))
    ? 'other'
    : what.some((one) => one.startsWith('not_found'))
      ? 'missing'
      : 'there';

const rows = fc.array(item, { maxLength: 14 });

it('a check finds each row that is there, that is missing, and whose key is there with other content (L10, L14)', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, fc.boolean(), async (files, service, isLost) => {
      const stored: Item[] = [];
      for (const one of service) send(stored, one);
      const before = [...stored];
      const written = await look(files, stored, false, isLost);
      for (const one of files) {
        const what = written.get(one) ?? [];
        const first = expectedOf(one, before);
        const is = first === 'missing' ? expectedOf(one, stored) : first;
        expect({ one, what, is: outcomeOf(what) }).toEqual({ one, what, is });
        if (first !== 'missing') expect(what).not.toContain('again');
        else expect(what.filter((each) => each === 'again')).toHaveLength(1);
      }
    }),
    { numRuns: runs(60) },
  );
});

it('a dry run finds what a load would (L10)', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, async (files, service) => {
      const stored: Item[] = [];
      for (const one of service) send(stored, one);
      const written = await look(files, [...stored], true, false);
      for (const one of files) {
        const expected = expectedOf(one, stored) === 'other' ? 'other' : 'there';
        expect({ one, is: outcomeOf(written.get(one) ?? []) }).toEqual({ one, is: expected });
        send(stored, one);
      }
    }),
    { numRuns: runs(60) },
  );
});
