import fc from 'fast-check';
import { byteOrderOf } from './account-order.js';

const sign = (one: string, other: string): number =>
  byteOrderOf(one) < byteOrderOf(other) ? -1 : byteOrderOf(one) > byteOrderOf(other) ? 1 : 0;

describe('the order of account numbers', () => {
  it('is that of their UTF-8 bytes (S5)', () => {
    const text = fc.string({
      unit: fc.oneof(
        fc.constantFrom('a', 'é', '\uE000', '\uFFFD', '😀'),
        fc.string({ unit: 'binary', maxLength: 1 }),
      ),
    });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(sign(one, other)).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)));
      }),
    );
    expect(sign('\uFFFD', '😀')).toBe(-1);
  });
});
