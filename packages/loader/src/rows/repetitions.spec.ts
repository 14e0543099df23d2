import fc from 'fast-check';
import { canonicalContent } from './content.js';
import { KEY_FIELDS, keyOf } from './keys.js';
import { Repetitions } from './repetitions.js';
import type { Kind, Row } from './row.js';

function row(kind: Kind, item: string, line = 1): Row {
  const value = JSON.parse(item) as Record<string, unknown>;
  const key = keyOf(
    kind,
    KEY_FIELDS[kind].map((field) => value[field]),
  );
  return { account: '1', item, key, origin: { file: 'f', line }, raw: Buffer.from(item), start: 0, end: 1 };
}

/** For each item the line of the one that it repeats, and whether its content is the same. */
function repeated(kind: Kind, items: readonly string[]): string[] {
  const repetitions = new Repetitions(kind);
  return items.map((item, index) => {
    const found = repetitions.add(row(kind, item, index + 1));
    return found ? `${found.of.line} ${found.hasSameContent ? 'same' : 'other'}` : '-';
  });
}

describe('the content of an item', () => {
  it.each([
    ['{"amount":1.0,"type":"X"}', '{ "type" : "\\u0058", "amount":1.00 }', true],
    ['{"amount":1e0}', '{"amount":1}', true],
    ['{"amount":1.01}', '{"amount":1.010}', true],
    ['{"amount":1}', '{"amount":"1"}', false],
    ['{"amount":1}', '{"amount":1,"note":""}', false],
    ['{"line_items":[{"a":1,"b":2}]}', '{"line_items":[{"b":2.0,"a":1}]}', true],
    ['{"line_items":[1,2]}', '{"line_items":[2,1]}', false],
    ['{"amount":9007199254740993}', '{"amount":9007199254740992}', false],
    ['{"a":1,"a":2}', '{"a":2}', true],
    ['{}', '{ }', true],
    ['{"a":[],"b":{}}', '{"b":{ },"a":[ ]}', true],
  ])('%s and %s: the same is %s', (one, other, isSame) => {
    expect(canonicalContent('transactions', one) === canonicalContent('transactions', other)).toBe(isSame);
  });

  it('is that of the value, however JSON is written', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.constantFrom(0, 1, '\t'),
        (value, space) => {
          const written = JSON.stringify(value, undefined, space);
          expect(JSON.parse(canonicalContent('transactions', written))).toEqual(JSON.parse(written));
          expect(canonicalContent('transactions', written)).toBe(
            canonicalContent('transactions', JSON.stringify(value)),
          );
        },
      ),
    );
  });

  it('of a note is what the service keeps of it', () => {
    const full =
      '{"body":"","document_paths":[],"is_pinned":false,"created_at":"2026-01-02T03:04:05.9+01:00"}';
    expect(canonicalContent('notes', full)).toBe('{"created_at":"2026-01-02T02:04:05Z"}');
  });

  it('does not exhaust the stack on a long text', () => {
    const item = `{"note":"${'\\"'.repeat(2_000_000)}"}`;
    expect(canonicalContent('transactions', item)).toBe(item);
  });
});

describe('repeated rows of an account', () => {
  it('have the same transaction_id, whatever their content', () => {
    expect(
      repeated('transactions', [
        '{"transaction_id":"a","amount":1}',
        '{"transaction_id":"b","amount":1}',
        '{"transaction_id":"a","amount":1.00}',
        '{"amount":2,"transaction_id":"a"}',
        '{"amount":2}',
        '{"amount":2}',
        '{"transaction_id":"A","amount":1}',
      ]),
    ).toEqual(['-', '-', '1 same', '1 other', '-', '-', '-']);
  });

  it('of payment instructions have the same vendor and reference, and of statements the same id', () => {
    const instruction = (vendor: string, reference: string, type: string): string =>
      JSON.stringify({ vendor, reference, type });
    expect(
      repeated('payment-instructions', [
        instruction('A', 'x', 'CARD'),
        instruction('B', 'x', 'CARD'),
        instruction('A', 'x', 'BPAY'),
      ]),
    ).toEqual(['-', '-', '1 other']);
    expect(
      repeated('statements', ['{"statement_id":"1"}', '{"statement_id":"1"}', '{"statement_id":1}']),
    ).toEqual(['-', '1 same', '-']);
  });

  it('of notes have the same body, or without one the same documents, and the same created_at if it is sent', () => {
    const paths = '"document_paths":[{"document_path":"a"}]';
    expect(
      repeated('notes', [
        '{"body":"x","created_at":"2026-01-02T03:04:05Z"}',
        '{"body":"x","created_at":"2026-01-02T04:04:05.5+01:00"}',
        '{"body":"x","created_at":"2026-01-03T03:04:05Z"}',
        '{"body":"x"}',
        `{"body":"x",${paths}}`,
        `{${paths}}`,
        `{"body":"",${paths},"is_pinned":true}`,
        '{"body":"y"}',
        '{"body":"y","created_at":"2026-01-02T03:04:05Z"}',
        '{"body":"y","created_at":"tomorrow"}',
        '{"created_at":"2026-01-02T03:04:05Z"}',
      ]),
    ).toEqual(['-', '1 same', '-', '1 same', '1 other', '-', '6 other', '-', '-', '-', '-']);
  });

  it('are compared by digests when there are many', () => {
    const note = 'n'.repeat(9_000_000);
    const item = (id: string, amount: string): string =>
      `{"transaction_id":"${id}","note":"${note}","amount":${amount}}`;
    expect(
      repeated('transactions', [
        item('a', '1'),
        item('b', '1'),
        item('c', '1'),
        item('c', '1.0'),
        item('c', '2'),
        item('a', '1.0'),
      ]),
    ).toEqual(['-', '-', '-', '3 same', '3 other', '1 same']);
  });
});
