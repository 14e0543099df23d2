import fc from 'fast-check';
import { AppError } from '../errors/errors.js';
import { Budget, HOLDER_MAX, KINDS, type Holding, type Kind, type Refusal } from './budget.js';

const MIB = 1_048_576;
const BODY = 10 * MIB;
/** The budget of a process with much memory. */
const budgetOf = (): Budget => new Budget({ BODY_LIMIT_BYTES: BODY }, 8_192 * MIB);

/** The number of requests admitted before one is rejected. */
function admitted(budget: Budget, holder: string, kinds: readonly Kind[], bytes = 0): number {
  for (let count = 0; ; count += 1) {
    try {
      budget.admit(holder, kinds, bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      return count;
    }
  }
}

/** The reasons why a call was rejected. */
function reasonOf(budget: Budget, call: () => void): string[] {
  const before = { ...budget.refused };
  expect(call).toThrow(AppError);
  return Object.keys(before).filter(
    (reason) => budget.refused[reason as Refusal] > before[reason as Refusal],
  );
}

describe('the budget of a process', () => {
  it.each([
    ['imports', ['imports'], 64],
    ['other requests', ['requests'], 64],
    ['downloads', ['requests', 'downloads'], 12],
  ] as const)('is limited separately for each holder: %s', (_title, kinds, count) => {
    const budget = budgetOf();
    expect(admitted(budget, 'a', kinds)).toBe(count);
    expect(admitted(budget, 'b', kinds)).toBe(count);
    expect(budget.inHand[kinds[kinds.length - 1]!]).toBe(2 * count);
  });

  it('counts either all kinds of a request or none', () => {
    const budget = budgetOf();
    admitted(budget, 'a', ['requests', 'downloads']);
    expect(budget.inHand.requests).toBe(12);
    expect(admitted(budget, 'a', ['requests'])).toBe(52);
  });

  it('limits the bytes of one holder to an eighth of the total, and those of all to the total', () => {
    const budget = budgetOf();
    expect(admitted(budget, 'a', ['imports'], BODY)).toBe(6);
    expect(reasonOf(budget, () => budget.admit('a', ['imports'], BODY))).toEqual(['holder_bytes']);
    // A request without bytes is admitted.
    budget.admit('a', ['requests']);
    const others = Array.from({ length: 7 }, (_, n) => admitted(budget, `other ${n}`, ['imports'], 64 * MIB));
    expect(others).toEqual([1, 1, 1, 1, 1, 1, 1]);
    expect(reasonOf(budget, () => budget.admit('last', ['imports'], 5 * MIB))).toEqual(['process_bytes']);
    expect(budget.inHand.bytes).toBe((60 + 7 * 64) * MIB);
  });

  it('has room for the largest body and page in a process with little memory, or does not start', () => {
    const small = new Budget({ BODY_LIMIT_BYTES: BODY }, 256 * MIB);
    expect([small.bytesMax, small.holderBytesMax]).toEqual([22 * MIB, 18 * MIB]);
    expect(admitted(small, 'a', ['imports'], BODY)).toBe(1);
    expect(admitted(small, 'a', ['requests'], 8 * MIB)).toBe(1);
    expect(() => new Budget({ BODY_LIMIT_BYTES: 15 * MIB }, 256 * MIB)).toThrow(
      'BODY_LIMIT_BYTES is 15728640, for which the process needs a heap of 264 MiB, which is half of its memory, and has 256 MiB. Give it more memory, or set a lower BODY_LIMIT_BYTES.',
    );
  });

  it('grows with a request whose response turns out to be larger, until it is rejected', () => {
    const budget = budgetOf();
    const holding = budget.admit('a', ['requests'], MIB);
    holding.grow(62 * MIB);
    expect(
      reasonOf(budget, () => {
        holding.grow(2 * MIB);
      }),
    ).toEqual(['holder_bytes']);
    holding.resize(2 * MIB);
    expect(budget.inHand.bytes).toBe(65 * MIB);
    holding.resize(-64 * MIB);
    expect(budget.inHand.bytes).toBe(MIB);
  });

  it('counts a request until its response and its work have ended, in any order, even work that begins later', () => {
    const budget = budgetOf();
    const holding = budget.admit('a', ['imports'], 5);
    holding.use();
    holding.release();
    expect(budget.inHand).toMatchObject({ imports: 1, bytes: 5 });
    holding.release();
    expect(budget.inHand).toMatchObject({ imports: 0, bytes: 0 });
    holding.use();
    expect(budget.inHand).toMatchObject({ imports: 1, bytes: 5 });
    holding.release();
    expect(budget.inHand).toMatchObject({ imports: 0, bytes: 0 });
  });

  it('is empty when everything is released, in any order', () => {
    const kinds = fc.constantFrom<readonly Kind[]>(['imports'], ['requests'], ['requests', 'downloads']);
    const request = fc.record({
      holder: fc.constantFrom('a', 'b'),
      kinds,
      bytes: fc.nat(5 * MIB),
      further: fc.constantFrom<Kind>('feed_waits', 'spooled'),
      isLeft: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(request, { maxLength: 50 }), fc.boolean(), (requests, isReversed) => {
        const budget = budgetOf();
        const holdings: Holding[] = [];
        for (const one of requests) {
          try {
            const holding = budget.admit(one.holder, one.kinds, one.bytes);
            holdings.push(holding);
            if (one.isLeft) holding.release();
            holding.use();
            if (!one.isLeft) holding.release();
            holding.add(one.further);
            holding.grow(one.bytes);
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        }
        for (const kind of KINDS) expect(budget.inHand[kind]).toBeLessThanOrEqual(2 * HOLDER_MAX[kind]);
        for (const holding of isReversed ? holdings.toReversed() : holdings) holding.release();
        expect(new Set(Object.values(budget.inHand))).toEqual(new Set([0]));
        expect(admitted(budget, 'a', ['imports'])).toBe(64);
      }),
    );
  });
});
