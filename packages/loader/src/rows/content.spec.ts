import fc from 'fast-check';
import { canonicalContent, ContentWriter } from './content.js';

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
    // The last member of the inner object has the name of the member before it.
    ['{"b":1,"a":{"b":2}}', '{"b":1,"a":{}}', false],
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

  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['0.00', '0'],
    ['50.00', '50'],
    ['-50.10', '-50.1'],
    ['100', '100'],
    ['0.05', '0.05'],
    ['-0.5', '-0.5'],
    ['0.000001', '0.000001'],
    ['0.0000001', '1e-7'],
    ['1E2', '100'],
    ['1e20', '100000000000000000000'],
    ['1e21', '1e+21'],
    ['99999999999999.9', '99999999999999.9'],
    ['-12345678901234.5', '-12345678901234.5'],
    ['0.1234567890123456789', '0.1234567890123456789e0'],
  ])('writes the number %s as %s', (sent, written) => {
    expect(canonicalContent('transactions', `{"a":[${sent}],"b":${sent}}`)).toBe(
      `{"a":[${written}],"b":${written}}`,
    );
  });

  it('is in the form of RFC 8785, whatever the order of members, the spaces and the escapes (V3)', () => {
    const number = fc
      .tuple(fc.integer(), fc.nat(9_999), fc.integer({ min: -20, max: 20 }), fc.boolean())
      .map(([whole, part, power, hasPower]) => `${whole}.${part}0${hasPower ? `e${power}` : ''}`);
    const names = fc.uniqueArray(fc.string({ unit: 'binary' }).filter((name) => name.isWellFormed()));
    const values = fc.array(fc.oneof(number, fc.string().map(escaped), fc.constantFrom('true', 'null')));
    const writer = new ContentWriter();
    fc.assert(
      fc.property(
        names,
        values,
        fc.constantFrom('', ' ', '\r\n\t'),
        fc.boolean(),
        (keys, list, space, isEscaped) => {
          const inner = list.join(`${space},${space}`);
          const members = keys.map(
            (name) =>
              `${isEscaped ? escaped(name) : JSON.stringify(name)}${space}:${space}{"z":[${space}${inner}],"a":${list[0] ?? '{}'}}`,
          );
          const item = `${space}{${members.join(space === '' ? ',' : `${space},`)}${space}}`;
          const expected = inOrder(JSON.parse(item));
          expect(writer.write('transactions', Buffer.from(item)).toString()).toBe(expected);
          // The order of the members that were written last must not affect others.
          const turned = `{${members.toReversed().join(',')}}`;
          expect(writer.write('transactions', Buffer.from(turned)).toString()).toBe(expected);
        },
      ),
    );
  });

  it.each([
    ['a', 'a!'],
    ['', 'a'],
    ['\t', '\n'],
    ['a', 'a"'],
    ['a"a', 'a"b'],
    ['\u{1F600}', '\uE000'],
    ['z', 'é'],
  ])('has a member %j before %j (V3)', (one, other) => {
    const members = [one, other].map((name) => `${JSON.stringify(name)}:1`);
    const expected = `{${members.join(',')}}`;
    expect(canonicalContent('transactions', expected)).toBe(expected);
    expect(canonicalContent('transactions', `{${members.toReversed().join(',')}}`)).toBe(expected);
  });

  it('has the last of members with the same name', () => {
    const writer = new ContentWriter();
    const write = (item: string): string => writer.write('transactions', Buffer.from(item)).toString();
    expect(write('{"b":1,"a":2,"c":3}')).toBe('{"a":2,"b":1,"c":3}');
    expect(write('{"b":1,"a":2,"b":3}')).toBe('{"a":2,"b":3}');
    expect(write('{"b":1,"\\u0062":2,"b":3,"a":[]}')).toBe('{"a":[],"b":3}');
    expect(canonicalContent('notes', '{"body":"x","body":""}')).toBe('{}');
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

/** A JSON string that consists only of escapes. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  );
  return `"${units.map((unit) => `\\u${unit}`).join('')}"`;
}

/** RFC 8785 for numbers that a double represents exactly. */
function inOrder(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOrder).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${inOrder(members[name])}`).join(',')}}`;
}
