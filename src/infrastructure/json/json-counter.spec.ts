import fc from 'fast-check';
import { JsonCounter, type Excess, type JsonLimits, type JsonPath } from './json-counter.js';

/** A JSON value as written: keys may be repeated, and any character of a key may be an escape. */
type Written =
  | { readonly scalar: string }
  | { readonly items: readonly Written[] }
  | { readonly members: readonly (readonly [key: string, value: Written])[] };

const SMALLEST = 2;

const unbounded = {
  names: new Set(['notes', 'body']),
  containers: Infinity,
  itemDepth: 3,
  itemBytes: Infinity,
};

/** The limit of a list depends on where it is. */
const limits: JsonLimits = { ...unbounded, smallest: SMALLEST, at: (path) => SMALLEST + (path.length % 3) };

/** The first list in the text in which another item begins after the last allowed one. */
function firstExcess(value: Written, path: JsonPath = []): Excess | undefined {
  if ('members' in value)
    return firstOf(value.members, ([key, member]) => firstExcess(member, [...path, key]));
  if (!('items' in value)) return undefined;
  const allowed = limits.at(path);
  return firstOf(value.items, (item, index) =>
    index === allowed ? { path, allowed } : firstExcess(item, [...path, index]),
  );
}

function firstOf<T>(
  values: readonly T[],
  find: (value: T, index: number) => Excess | undefined,
): Excess | undefined {
  for (const [index, value] of values.entries()) {
    const found = find(value, index);
    if (found) return found;
  }
  return undefined;
}

/** The text in pieces: joined they are JSON. */
function piecesOf(value: Written): string[] {
  if ('scalar' in value) return [value.scalar];
  if ('items' in value) return ['[', ...joined(value.items.map(piecesOf)), ']'];
  return [
    '{',
    ...joined(value.members.map(([key, member]) => [escaped(key), ':', ...piecesOf(member)])),
    '}',
  ];
}

function joined(parts: readonly string[][]): string[] {
  return parts.flatMap((part, index) => (index === 0 ? part : [',', ...part]));
}

/** A JSON string in which every letter `e` is written as an escape. */
function escaped(text: string): string {
  const characters = Array.from(text, (character) =>
    character === 'e' ? '\\u0065' : JSON.stringify(character).slice(1, -1),
  );
  return `"${characters.join('')}"`;
}

const tricky = fc.constantFrom(
  ...['"', '\\', '\\"', '[{', ']},', ',,,,', ':', '{"a":[1,2,3,4]}', 'ü€😀', '\u2028', 'e'],
);
const text = fc
  .array(fc.oneof(tricky, fc.string({ unit: 'binary' })), { maxLength: 3 })
  .map((parts) => parts.join(''));
const scalar = fc
  .oneof(
    text.map((content) => JSON.stringify(content)),
    fc.constantFrom('null', 'true', 'false', '0', '-1.5e3', '""', '"\\\\"'),
  )
  .map((written): Written => ({ scalar: written }));
const { written } = fc.letrec<{ written: Written }>((tie) => ({
  written: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    scalar,
    fc.array(tie('written'), { maxLength: 6 }).map((items): Written => ({ items })),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom('notes', 'a'), text), tie('written')), { maxLength: 6 })
      .map((members): Written => ({ members })),
  ),
}));
const space = fc.constantFrom('', '', ' ', '\n\t', '\r ');

/** Bytes of a text with any spaces between its tokens, cut anywhere. */
function chunksOf(value: Written, spaces: readonly string[], cuts: readonly number[]): Buffer[] {
  const pieces = piecesOf(value).map((piece, index) => piece + (spaces[index % spaces.length] ?? ''));
  const bytes = Buffer.from(pieces.join(''));
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

function count(
  chunks: readonly Buffer[],
  within: JsonLimits = limits,
): { excess: Excess | undefined; isTooDeep: boolean } {
  const counter = new JsonCounter(within);
  let excess: Excess | undefined;
  for (const chunk of chunks) {
    excess = counter.add(chunk);
    if (excess) break;
  }
  return { excess, isTooDeep: counter.isTooDeep };
}

const bytesOf = (json: string): Buffer[] => Array.from(Buffer.from(json), (byte) => Buffer.of(byte));

describe('JsonCounter', () => {
  it('finds the first list with more items than allowed, wherever the text is cut (T15)', () => {
    fc.assert(
      fc.property(
        written,
        fc.array(space, { minLength: 1, maxLength: 7 }),
        fc.array(fc.nat(), { maxLength: 9 }),
        (value, spaces, cuts) => {
          const chunks = chunksOf(value, spaces, cuts);
          expect(() => JSON.parse(Buffer.concat(chunks).toString()) as unknown).not.toThrow();
          const expected = { excess: firstExcess(value), isTooDeep: false };
          expect(count(chunks)).toEqual(expected);
          expect(count(Array.from(Buffer.concat(chunks), (byte) => Buffer.of(byte)))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each<[string, string, JsonPath | undefined]>([
    ['is complete', '[1,2]', undefined],
    ['has one item more', '[1,2,3', []],
    ['ends with a comma, which is not JSON', '[1,2,]', undefined],
    ['ends with a comma so far', '[1,2, ', undefined],
    ['contains strings with commas', '["1,2,3,4"]', undefined],
    ['is too long under a key that is repeated', '{"a":[1,2,3', ['a']],
    ['has a key with escapes', '{"n\\u006ft\\"es":[1,2,3', ['not"es']],
    ['has a key that is not JSON', '{"n\\ote":[1,2,3', ['n\\ote']],
  ])('counts the items that have begun if a list %s (T15)', (_what, json, path) => {
    const all: JsonLimits = { ...unbounded, smallest: 2, at: () => 2 };
    const expected = path && { path, allowed: 2 };
    expect(count([Buffer.from(json)], all).excess).toEqual(expected);
    expect(count(bytesOf(json), all).excess).toEqual(expected);
  });

  const many = (count: number, part: (index: number) => string): string =>
    Array.from({ length: count }, (_none, index) => part(index)).join(',');

  it.each<[string, string, JsonPath | undefined]>([
    [
      'as many undocumented members as an object may have',
      `{"notes":[{${many(1_000, (n) => `"${n}":1`)},"body":""}]}`,
      undefined,
    ],
    ['more than with all documented ones', `{"notes":[{},{${many(1_003, (n) => `"${n}":1`)}`, ['notes', 1]],
    ['one that is repeated', `{"a":{${many(1_003, () => '"b":1')}`, ['a']],
    [
      'documented ones in many objects',
      `{"notes":[${many(20_000, () => '{"body":1,"notes":1}')}]}`,
      undefined,
    ],
    ['documented ones in escapes', `[${many(20_000, () => '{"bod\\u0079":1,"note\\u0073":1}')}]`, undefined],
    ['strings in lists', `{"notes":[{"a":[${many(20_001, () => '""')}`, ['notes', 0]],
    ['empty objects', `{"notes":[[${many(40, () => '{}')}],[${many(20_001, () => '{}')}]]}`, []],
    ['empty lists', `{"notes":[{"body":[${many(30_000, () => '[]')}]}]}`, ['notes', 0]],
  ])('gives up at the innermost object: %s (T19)', (_what, json, path) => {
    const within = { ...unbounded, containers: 20_003, smallest: 1, at: () => Infinity };
    expect(count([Buffer.from(json)], within).excess).toEqual(path && { path });
    const cuts = Array.from({ length: json.length / 101 }, (_none, index) => index * 101);
    expect(count(chunksOf({ scalar: json }, [''], cuts), within).excess).toEqual(path && { path });
  });

  it.each(['{"a":1,"b":1}', '{"\\u0061":1}'])(
    'gives up if many objects have far too many undocumented members: %s (T19)',
    (item) => {
      const within = { ...unbounded, smallest: 1, at: () => Infinity };
      const { excess } = count([Buffer.from(`{"notes":[${many(200_000, () => item)}`)], within);
      expect(excess?.path).toEqual(['notes', expect.any(Number)]);
      expect(count([Buffer.from(`{"notes":[${many(2_500, () => item)}`)], within).excess).toBeUndefined();
    },
  );

  it('reports whether an item was sent with more bytes than allowed (T19)', () => {
    const item = '{"a":[{}] ,"b": "\\u00e9"}';
    for (const itemBytes of [item.length - 1, item.length]) {
      const counter = new JsonCounter({ ...limits, smallest: 9, itemBytes });
      for (const chunk of bytesOf(` {"notes":[{"a":1},${item}]}`)) counter.add(chunk);
      expect(counter.hasLargeItem).toBe(itemBytes < item.length);
    }
  });

  it.each(['', ']', '}}}}[1,2,3', '{"a":1]]]]', ':::', '"\\', '[}[}[}', '\\"[[[', '\u0000'])(
    'reads %j, which is not JSON, without an error',
    (json) => {
      expect(() => count([Buffer.from(json)])).not.toThrow();
      expect(() => count(bytesOf(json))).not.toThrow();
    },
  );

  it('stops at the 65th level (T4)', () => {
    const nested = (depth: number): Buffer[] => [Buffer.from('[{"a":'.repeat(depth / 2)), Buffer.from('[')];
    expect(count(nested(62)).isTooDeep).toBe(false);
    expect(count(nested(64)).isTooDeep).toBe(true);
  });
});
