import fc from 'fast-check';
import { prefixEnd } from './prefix-end.js';

describe('the end of the range of a prefix', () => {
  it.each([
    ['a', 'b'],
    ['1009', '100:'],
    ['%', '&'],
    ['\u{d7ff}', '\u{e000}'],
    ['a\u{10ffff}', 'b'],
    ['\u{10ffff}', '\u{10ffff}'.repeat(129)],
  ])('of %j is %j (C2)', (prefix, end) => {
    expect(prefixEnd(prefix)).toBe(end);
  });

  it('comes, in byte order, directly after the texts that begin with the prefix (C2)', () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const end = prefixEnd(prefix);
        for (const candidate of [other, prefix + other, prefix]) {
          const isInside =
            Buffer.compare(Buffer.from(candidate), Buffer.from(prefix)) >= 0 &&
            Buffer.compare(Buffer.from(candidate), Buffer.from(end)) < 0;
          expect(isInside).toBe(candidate.startsWith(prefix));
        }
      }),
    );
  });
});
