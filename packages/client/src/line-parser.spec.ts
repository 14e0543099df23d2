import fc from 'fast-check';
import { LineParser } from './line-parser.js';
import { NotAListError } from './list-parser.js';

describe('LineParser', () => {
  it('finds every element, however the lines are split into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1 }),
        (list, lengths) => {
          const bytes = Buffer.from(list.map((one) => `${JSON.stringify(one)}\n`).join(''));
          const parser = new LineParser();
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

  it('reports a line without its end as incomplete', () => {
    const parser = new LineParser();
    expect(parser.push(Buffer.from('{"a":1}\n{"a":2}'))).toEqual([{ a: 1 }]);
    expect(parser.isComplete).toBe(false);
  });

  it.each(['<html>\n', '{"a":1\n', '\n'])('rejects %j, which is not a line of JSON', (text) => {
    expect(() => new LineParser().push(Buffer.from(text))).toThrow(NotAListError);
  });

  it('buffers at most one line of 128 megabytes', () => {
    const parser = new LineParser();
    const part = Buffer.alloc(1_048_576, 'x');
    expect(() => {
      for (let parts = 0; parts <= 128; parts += 1) parser.push(part);
    }).toThrow('A line of the answer is too long.');
  });
});
