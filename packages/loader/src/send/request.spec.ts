import type { Row } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';
import { Batcher, payload, type Request } from './request.js';

let position = 0;
const row = (account: string, key?: string, bytes = 10): Row => {
  const start = position;
  position += bytes;
  const raw = Buffer.from('');
  return { account, item: '{"a":1.50}', key, origin: { file: 'x', line: 1 }, raw, start, end: position };
};

function requests(
  kind: Kind,
  rows: readonly Row[],
  size = { items: 3, bytes: 10_000 },
): [string, number, boolean][] {
  const batcher = new Batcher(kind, size);
  const made = [...rows.map((one) => batcher.add(one)), batcher.end()].filter((one) => one !== undefined);
  expect(made.flatMap((one) => one.rows)).toEqual(rows);
  return made.map((one) => [one.account, one.rows.length, one.hasMore]);
}

describe('requests', () => {
  it.each<[string, Kind, Row[], [string, number, boolean][]]>([
    [
      'have rows of one account',
      'notes',
      [row('1'), row('1'), row('2')],
      [
        ['1', 2, false],
        ['2', 1, false],
      ],
    ],
    [
      'have at most the allowed number of rows',
      'notes',
      [row('1'), row('1'), row('1'), row('1')],
      [
        ['1', 3, true],
        ['1', 1, false],
      ],
    ],
    [
      'are marked as last when the account exactly fills them',
      'notes',
      [row('1'), row('1'), row('1'), row('2')],
      [
        ['1', 3, false],
        ['2', 1, false],
      ],
    ],
    [
      'have at most the allowed number of bytes',
      'notes',
      [row('1', 'a', 6_000), row('1', 'b', 6_000)],
      [
        ['1', 1, true],
        ['1', 1, false],
      ],
    ],
    [
      'have each key only once',
      'transactions',
      [row('1', 'a'), row('1', 'b'), row('1', 'a')],
      [
        ['1', 2, true],
        ['1', 1, false],
      ],
    ],
    [
      'do not have a note without a date-time after a note with the same content',
      'notes',
      [
        row('1', '2026-01-02T03:04:05Z\nx'),
        row('1', '\ny'),
        row('1', '\nx'),
        row('1', '2026-01-03T00:00:00Z\nx'),
      ],
      [
        ['1', 2, true],
        ['1', 2, false],
      ],
    ],
    ['have rows without keys together', 'transactions', [row('1'), row('1')], [['1', 2, false]]],
    [
      'have a single payment instruction',
      'payment-instructions',
      [row('1', 'a'), row('1', 'b')],
      [
        ['1', 1, true],
        ['1', 1, false],
      ],
    ],
    ['are not made of nothing', 'notes', [], []],
  ])('%s', (_title, kind, rows, expected) => {
    expect(requests(kind, rows)).toEqual(expected);
  });

  it('keep the text of their items unchanged', () => {
    const request = (kind: Kind): Request => ({
      kind,
      account: 'a"b',
      rows: [row('a"b'), row('a"b')],
      bytes: 1,
      hasMore: false,
    });
    const pair = '"import_supplier":"S","external_account_number":"a\\"b"';
    expect(payload(request('notes'), 'S')).toBe(`{${pair},"notes":[{"a":1.50},{"a":1.50}]}`);
    expect(payload(request('payment-instructions'), 'S')).toBe(`{${pair},"a":1.50}`);
  });
});
