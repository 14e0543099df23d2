import type { Row } from '@data-import/files';
import { keyOf } from '../kinds/keys.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import { SeenRows } from './seen-rows.js';

function row(kind: Kind, item: string, line: number): Row {
  const value = JSON.parse(item) as Record<string, unknown>;
  const key = keyOf(
    kind,
    FACTS[kind].key.map((field) => value[field]),
  );
  return { account: '1', item, key, origin: { file: 'f', line }, raw: Buffer.from(item), start: 0, end: 1 };
}

/** For each item, whether it repeats an earlier one. With `isContinued` the journal is read again before each item. */
function repeats(kind: Kind, items: readonly string[], isContinued = false): string[] {
  const encoded: string[] = [];
  let seen = new SeenRows(kind);
  return items.map((item, index) => {
    if (isContinued) seen = new SeenRows(kind, encoded);
    const one = row(kind, item, index + 1);
    if (seen.has(one)) return 'known';
    encoded.push(seen.add(one));
    return 'new';
  });
}

const instruction = (vendor: string, reference: string, type: string): string =>
  JSON.stringify({ vendor, reference, type });

const PATHS = '"document_paths":[{"document_path":"a"}]';

describe('repeated rows of an account', () => {
  it.each<[string, Kind, readonly (readonly [item: string, expected: string])[]]>([
    [
      'have the same transaction_id, whatever their content',
      'transactions',
      [
        ['{"transaction_id":"a","amount":1}', 'new'],
        ['{"transaction_id":"b","amount":1}', 'new'],
        ['{"transaction_id":"a","amount":1.00}', 'known'],
        ['{"amount":1e0,"transaction_id":"a"}', 'known'],
        ['{"amount":2,"transaction_id":"a"}', 'known'],
        ['{"amount":2}', 'new'],
        ['{"amount":2}', 'new'],
        ['{"transaction_id":"A","amount":1}', 'new'],
      ],
    ],
    [
      'of payment instructions have the same vendor and reference',
      'payment-instructions',
      [
        [instruction('A', 'x', 'CARD'), 'new'],
        [instruction('B', 'x', 'CARD'), 'new'],
        [instruction('A', 'x', 'BPAY'), 'known'],
        [instruction('A', 'x', 'CARD'), 'known'],
      ],
    ],
    [
      'of statements have the same statement_id',
      'statements',
      [
        ['{"statement_id":"1"}', 'new'],
        ['{"statement_id":"1"}', 'known'],
        ['{"statement_id":1}', 'new'],
      ],
    ],
    [
      'of notes have the same body, or without one the same documents, and the same created_at if it is sent',
      'notes',
      [
        ['{"body":"x","created_at":"2026-01-02T03:04:05Z"}', 'new'],
        ['{"body":"x","created_at":"2026-01-02T04:04:05.5+01:00"}', 'known'],
        ['{"body":"x","created_at":"2026-01-03T03:04:05Z"}', 'new'],
        // The service treats it as either of the two.
        ['{"body":"x"}', 'known'],
        [`{"body":"x",${PATHS}}`, 'known'],
        [`{${PATHS}}`, 'new'],
        [`{"body":"",${PATHS}}`, 'known'],
        [`{"body":"",${PATHS},"is_pinned":true}`, 'known'],
        ['{"body":"y"}', 'new'],
        ['{"body":"y"}', 'known'],
        ['{"body":"y","created_at":"2026-01-02T03:04:05Z"}', 'new'],
        ['{"body":"y","created_at":"tomorrow"}', 'new'],
        ['{"created_at":"2026-01-02T03:04:05Z"}', 'new'],
      ],
    ],
  ])('%s', (_title, kind, rows) => {
    const items = rows.map(([item]) => item);
    const expected = rows.map(([, one]) => one);
    expect(repeats(kind, items)).toEqual(expected);
    expect(repeats(kind, items, true)).toEqual(expected);
  });
});
