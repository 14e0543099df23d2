import fc from 'fast-check';
import { AppError } from '../common/errors.js';
import { readEnvironment } from '../config/env.js';
import { Budget, RESOURCES, type Amounts, type Holding } from './budget.js';

const MIB = 1_048_576;

const budgetWith = (settings: Record<string, string> = {}): Budget => new Budget(readEnvironment(settings));

/** How many pieces of work a holder begins before it is refused. */
function admitted(budget: Budget, holder: string, wanted: Amounts): number {
  for (let count = 0; ; count += 1) {
    try {
      budget.admit(holder, { ...wanted });
    } catch (error) {
      expect(error).toBeInstanceOf(AppError);
      return count;
    }
  }
}

describe('the budget of a process', () => {
  it('gives one organisation a quarter of the whole, and the next half of what is free, but for the last eighth', () => {
    const budget = budgetWith({ ANSWERS_MAX: '64' });
    const counts = ['a', 'b', 'c', 'd', 'e', 'f'].map((holder) => admitted(budget, holder, { answers: 1 }));
    // 48, 32, 21, 14, 9 and 8 are free after them.
    expect(counts).toEqual([16, 16, 11, 7, 5, 1]);
    // One each for those that hold nothing.
    expect(Array.from('ghijklmn', (holder) => admitted(budget, holder, { answers: 1 }))).toEqual([
      1, 1, 1, 1, 1, 1, 1, 1,
    ]);
    expect(admitted(budget, 'o', { answers: 1 })).toBe(0);
  });

  it('accepts 64 imports, and 8 of the largest, when nothing is set', () => {
    expect(admitted(budgetWith(), 'a', { imports: 1, import_bytes: 1_000 })).toBe(64);
    expect(admitted(budgetWith(), 'a', { imports: 1, import_bytes: 10 * MIB })).toBe(8);
  });

  it('counts all of what is wanted, or nothing', () => {
    const budget = budgetWith({ IMPORTS_PER_ORGANISATION_MAX: '1' });
    budget.admit('a', { imports: 1, answers: 1 });
    const used = budget.allotments.answers.usedShare;
    expect(() => budget.admit('a', { answers: 1, imports: 1 })).toThrow(AppError);
    expect(budget.allotments.answers.usedShare).toBe(used);
  });

  it('refuses with the seconds after which the request may return', () => {
    const budget = budgetWith({ IMPORTS_PER_ORGANISATION_MAX: '1' });
    budget.admit('a', { imports: 1 });
    const seconds = Array.from({ length: 100 }, () => {
      try {
        budget.admit('a', { imports: 1 });
        return NaN;
      } catch (error) {
        const { code, headers, isExpected } = error as AppError;
        expect({ code, isExpected }).toEqual({ code: 'service_unavailable', isExpected: true });
        return Number(headers['retry-after']);
      }
    });
    expect(seconds.slice(0, 4)).toEqual([1, 1, 2, 2]);
    expect(seconds.at(-1)).toBe(30);
  });

  it('lets what is held grow until the whole is used up', () => {
    const budget = budgetWith();
    const holding = budget.admit('a', { temporary_bytes: 0 });
    for (let count = 0; count < 1_024; count += 1) holding.grow('temporary_bytes', MIB);
    expect(() => {
      holding.grow('temporary_bytes', 1);
    }).toThrow(AppError);
  });

  it('holds nothing when everything is released, in whichever order, and however often', () => {
    const budget = budgetWith({ ANSWERS_MAX: '16', IMPORTS_PER_ORGANISATION_MAX: '4' });
    const free = (): number[] => RESOURCES.map((resource) => budget.allotments[resource].usedShare);
    const nothing = free();
    const resource = fc.constantFrom(...RESOURCES);
    const wanted = fc.dictionary(resource, fc.nat(1_000), { minKeys: 1 });
    const holder = fc.constantFrom('a', 'b', 'c');
    const step = fc.oneof(
      fc.record({ act: fc.constant('admit' as const), holder, wanted }),
      fc.record({ act: fc.constant('release' as const), index: fc.nat(), resources: fc.array(resource) }),
      fc.record({ act: fc.constant('resize' as const), index: fc.nat(), resource, amount: fc.nat(1_000) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const holdings: Holding[] = [];
        const at = (index: number): Holding | undefined => holdings[index % holdings.length];
        for (const one of steps) {
          if (one.act === 'admit') {
            try {
              holdings.push(budget.admit(one.holder, { ...one.wanted }));
            } catch (error) {
              expect(error).toBeInstanceOf(AppError);
            }
          } else if (one.act === 'release') at(one.index)?.release(new Set(one.resources));
          else at(one.index)?.resize(one.resource, one.amount);
        }
        for (const holding of [...holdings, ...holdings]) holding.release();
        expect(free()).toEqual(nothing);
        expect(admitted(budget, 'a', { answers: 1 })).toBe(4);
        for (let count = 0; count < 4; count += 1) budget.allotments.answers.give('a');
      }),
    );
  });
});
