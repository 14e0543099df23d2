import fc from 'fast-check';
import { ListParser, NotAListError } from './list-parser.js';

const element = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue());

describe('ListParser', () => {
  it('finds every element, however the list is split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(element),
        fc.constantFrom(undefined, 2),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        (list, indent, lengths) => {
          const bytes = Buffer.from(` ${JSON.stringify(list, undefined, indent)}\n`);
          const parser = new ListParser();
          const found: unknown[] = [];
          for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
            const length = lengths[turn % lengths.length]!;
            found.push(...parser.push(bytes.subarray(at, at + length)));
            at += length;
          }
          expect(parser.isComplete).toBe(true);
          expect(JSON.stringify(found)).toBe(JSON.stringify(list));
        },
      ),
    );
  });

  it.each(['', '[', '[{"a":1}', '[{"a":1},', '[{"a":"]"', '[{"a":"}]'])(
    'reports %j as incomplete',
    (text) => {
      const parser = new ListParser();
      parser.push(Buffer.from(text));
      expect(parser.isComplete).toBe(false);
    },
  );

  it.each(['{}', 'null', '<html>', '[1]', '["a"]', '[[]]', '[{}]]', '[{}] {}', '[{a:1}]', '[{} {}]'])(
    'rejects %j, which is not a list of objects',
    (text) => {
      expect(() => new ListParser().push(Buffer.from(text))).toThrow(NotAListError);
    },
  );

  it('joins an element that arrives in many parts, up to the maximum length', () => {
    const parser = new ListParser(40_000_000);
    const part = Buffer.alloc(1_024, 'x');
    parser.push(Buffer.from('[{"a":1},{"a":"'));
    const early = Array.from({ length: 30_000 }, () => parser.push(part)).flat();
    expect(early).toEqual([]);
    const [long, short] = parser.push(Buffer.from('"},{"a":2},{"a"')) as { a: string | number }[];
    expect([(long?.a as string).length, short]).toEqual([30_000 * 1_024, { a: 2 }]);
    expect(parser.push(Buffer.from(':3}]'))).toEqual([{ a: 3 }]);
  });

  it('buffers at most one element of a megabyte', () => {
    const parser = new ListParser();
    parser.push(Buffer.from('[{"a":"'));
    const part = Buffer.alloc(262_144, 'x');
    expect(() => {
      for (let parts = 0; parts < 5; parts += 1) parser.push(part);
    }).toThrow('An element of the list is too long.');
  });
});
