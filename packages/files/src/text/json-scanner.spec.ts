import fc from 'fast-check';
import { DEPTH_MAX, Members, scanObject, scanValue, stringAt } from './json-scanner.js';

const members = new Members();

/** Scan a text that stands between other bytes, as a line of a file does. */
function scan(text: string, around = ''): { readonly stopsAt: number; readonly found: [string, string][] } {
  const before = Buffer.from(around);
  const bytes = Buffer.concat([before, Buffer.from(text), before]);
  const from = before.length;
  const stopped = scanObject(bytes, from, bytes.length - before.length, members);
  const found = Array.from({ length: members.count }, (_, index): [string, string] => [
    members.name(bytes, index),
    bytes.toString('utf8', members.valueFrom(index), members.valueTo(index)),
  ]);
  return { stopsAt: stopped === -1 ? -1 : stopped - from, found };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON texts with space at places where JSON allows it, and with other forms of the same characters and numbers. */
const spaced = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.constantFrom('', ' ', '\t\r\n '), fc.boolean())
  .map(([text, space, isEscaped]) =>
    text
      .replaceAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) =>
        token.length > 1 ? token : `${space}${token}${space}`,
      )
      .replaceAll('a', isEscaped ? '\\u0061' : 'a'),
  );

/** The same text with a few bytes removed, repeated or replaced. */
const damaged = fc
  .tuple(
    spaced,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          '',
          '"',
          '\\',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '-',
          '.',
          'e',
          '0',
          'u',
          ' ',
          't',
          '\u0001',
        ),
      ),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, [place, piece]) => {
      const at = place % (changed.length + 1);
      return changed.slice(0, at) + piece + changed.slice(at + (place % 2));
    }, text),
  );

describe('scanning JSON', () => {
  it('accepts exactly the objects that JSON.parse accepts, and finds their members', () => {
    const text = fc.oneof(
      spaced,
      damaged,
      spaced.map((value) => `{"a":${value},"b":[${value}]}`),
      damaged.map((value) => `{"a":${value}}`),
    );
    fc.assert(
      fc.property(text, fc.constantFrom('', '}', '"', '1'), (sent, around) => {
        const value = parsed(sent);
        const { stopsAt, found } = scan(sent, around);
        expect(stopsAt === -1).toBe(isObject(value));
        if (!isObject(value)) return;
        // If a name is repeated, its last value counts, in JSON.parse and in Map.
        const last = new Map(found.map(([name, piece]) => [name, JSON.parse(piece) as unknown]));
        expect(Object.fromEntries(last)).toEqual(value);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts exactly the values that JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.oneof(spaced, damaged), (sent) => {
        const bytes = Buffer.from(sent);
        expect(scanValue(bytes, 0, bytes.length) === -1).toBe(parsed(sent) !== undefined);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['', 0],
    ['   ', 3],
    ['[1]', 0],
    ['"a"', 0],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['{"a":1,', 7],
    ['{"a":1,}', 7],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['{"a":01}', 6],
    ['{"a":1.}', 7],
    ['{"a":.5}', 5],
    ['{"a":+1}', 5],
    ['{"a":-}', 6],
    ['{"a":1e}', 7],
    ['{"a":1e+}', 8],
    ['{"a":tru}', 8],
    ['{"a":nul', 8],
    ['{"a":NaN}', 5],
    ['{"a":"\t"}', 6],
    ['{"a":"\\x"}', 7],
    ['{"a":"\\u12g4"}', 10],
    ['{"a":"b}', 8],
    ['{"a":[1 2]}', 8],
    ['{"a":[1,]}', 8],
    ['{"a":{"b":1]}', 11],
    ['{"a":1} x', 8],
    ['{"a":1}{}', 7],
  ])('says where %j stops to be an object: at byte %d', (text, at) => {
    expect(parsed(text) === undefined || !isObject(parsed(text))).toBe(true);
    expect(scan(text).stopsAt).toBe(at);
  });

  it('keeps every digit of a number', () => {
    const number = '-123456789012345678901234567890.00100E+05';
    expect(scan(`{"a":${number}}`).found).toEqual([['a', number]]);
  });

  it('finds the last member of a name, however its letters are written', () => {
    const bytes = Buffer.from('{"ab":1,"a\\u0062":2,"abc":3,"\\u0061b":4,"x":{"ab":5}}');
    scanObject(bytes, 0, bytes.length, members);
    const name = Buffer.from('ab');
    expect(members.find(bytes, name)).toBe(3);
    expect(members.find(bytes, name, 3)).toBe(1);
    expect(members.find(bytes, name, 1)).toBe(0);
    expect(members.find(bytes, name, 0)).toBe(-1);
  });

  it('holds more members than it has room for at first', () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`k${at}`, at])));
    expect(scan(text).found[299]).toEqual(['k299', '299']);
  });

  it(`refuses more than ${DEPTH_MAX} levels, and no fewer`, () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(scan(nested(DEPTH_MAX)).stopsAt).toBe(-1);
    expect(scan(nested(DEPTH_MAX + 1)).stopsAt).toBeGreaterThan(0);
  });

  it('resolves the escapes of a string', () => {
    const bytes = Buffer.from('"zürich\\n\\u20ac"');
    expect(stringAt(bytes, 0, bytes.length)).toBe('zürich\n€');
  });
});
