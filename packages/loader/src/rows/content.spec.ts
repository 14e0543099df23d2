import fc from 'fast-check';
import { canonicalContent } from './content.js';

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

  it('is the same whether it is written from the value or from the text', () => {
    const number = fc.tuple(fc.integer(), fc.nat(9_999), fc.integer({ min: -20, max: 20 }));
    const written = number.map(([whole, part, power]) => `${whole}.${part}0e${power}`);
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })), written, (value, sent) => {
        const item = `{"x":[${sent},-0,-0.0],"y":${JSON.stringify(value)}}`;
        // Only notes are always written from the text.
        expect(canonicalContent('transactions', item)).toBe(canonicalContent('notes', item));
      }),
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
