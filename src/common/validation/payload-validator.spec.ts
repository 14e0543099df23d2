import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import fc from 'fast-check';
import { AppError, ERRORS_MAX, fieldError } from '../errors.js';
import { Check, Omittable, OmittableList, Required, RequiredList, withContext } from './field.decorators.js';
import { payloadErrors } from './payload-validator.js';
import { calendarDay, identifier, text, truth, type RuleContext } from './rules.js';

class Leaf {
  @Required(identifier)
  id: string;

  @Omittable(truth)
  flag?: boolean;
}

class Branch {
  @Omittable(text({ max: 5, blankAllowed: true }))
  label?: string;

  @OmittableList(() => Leaf, { max: 4 })
  leaves?: Leaf[];
}

class Root {
  @Required(identifier)
  name: string;
}

@Check<Tree>({
  needs: ['from', 'to'],
  errors: ({ from, to }) =>
    from !== undefined && to !== undefined && to < from ? [fieldError('invalid_choice', 'to')] : [],
})
class Tree extends Root {
  @Omittable(calendarDay)
  from?: string;

  @Omittable(calendarDay)
  to?: string;

  @RequiredList(() => Branch)
  branches: Branch[];
}

const context: RuleContext = { itemsMax: 3, catalogue: () => new Set() };

/** Code and place of every error, in order. */
function verdict(value: unknown): string[] {
  return payloadErrors(Tree, value, context).map(({ code, attr }) => `${code} ${attr}`);
}

const right = {
  name: 'oak',
  from: '2026-01-01',
  to: '2026-01-01',
  branches: [{ leaves: [{ id: 'l' }] }, {}],
};

describe('payloadErrors', () => {
  it('has nothing to say about a right payload', () => {
    expect(verdict(right)).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['no object', [], ['invalid ']],
    ['null', null, ['null ']],
    ['nothing', {}, ['required name', 'required branches']],
    ['inherited fields first', { branches: 1, name: 1 }, ['invalid name', 'invalid branches']],
    [
      'fields in the order of the class, then unknown ones, then rules over several fields',
      { ...right, odd: 1, from: '2026-01-02', branches: [{ label: 1 }] },
      ['invalid branches.0.label', 'unexpected_field odd', 'invalid_choice to'],
    ],
    [
      'no rule over several fields when one of them is wrong',
      { ...right, from: '2026-13-01', to: '2025-01-01' },
      ['invalid from'],
    ],
    [
      'items in the order of their index, with their place',
      { ...right, branches: [{}, { leaves: [{}, { id: 'x', flag: null }] }, { label: 'too long' }] },
      ['required branches.1.leaves.0.id', 'null branches.1.leaves.1.flag', 'max_length branches.2.label'],
    ],
    ['no items of a list that is too long', { ...right, branches: [1, 2, 3, 4] }, ['max_length branches']],
    ['lists in a list', { ...right, branches: [[], [[]]] }, ['invalid branches.0', 'invalid branches.1']],
    ['null in a list', { ...right, branches: [null] }, ['null branches.0']],
    ['a hole in a list', { ...right, branches: new Array(1) }, ['invalid branches.0']],
    ['undefined for a required field', { ...right, name: undefined }, ['required name']],
    [
      'keys that mean something to the language',
      JSON.parse('{"name":"oak","branches":[{"__proto__":{"label":1},"constructor":1}],"toString":1}'),
      [
        'unexpected_field branches.0.__proto__',
        'unexpected_field branches.0.constructor',
        'unexpected_field toString',
      ],
    ],
    ['a member without a name', { ...right, branches: [{ '': 1 }] }, ['unexpected_field branches.0.']],
    ['fields that only a prototype has', Object.create(right), ['required name', 'required branches']],
  ])('%s (T6, T7, T8)', (_what, value, errors) => {
    expect(verdict(value)).toEqual(errors);
  });

  it.each([
    ['the payload', (odd: object) => ({ ...right, ...odd }), ''],
    ['an item', (odd: object) => ({ ...right, branches: [odd] }), 'branches.0.'],
  ])('finds no more unknown fields of %s than make the last entry (T6)', (_where, payload, place) => {
    const names = Array.from({ length: 100_000 }, (_none, index) => `odd${index}`);
    const found = verdict(payload(Object.fromEntries(names.map((name) => [name, 1]))));
    const told = names.slice(0, ERRORS_MAX + 1).map((name) => `unexpected_field ${place}${name}`);
    expect(found).toEqual(told);
  });

  it('refuses what nests more deeply than any payload could (T4)', () => {
    const nested: unknown = JSON.parse('['.repeat(100) + ']'.repeat(100));
    expect(() => verdict({ ...right, odd: nested })).toThrow(AppError);
    expect(() => verdict(nested)).toThrow(AppError);
  });

  it('lets the configured number of items decide at each call (T15)', () => {
    const payload = { ...right, branches: [{}, {}, {}, {}] };
    expect(payloadErrors(Tree, payload, { ...context, itemsMax: 4 })).toEqual([]);
    expect(verdict(payload)).toEqual(['max_length branches']);
  });
});

/** class-validator alone, on the whole payload: slow, and without the rules over several fields. */
function isRightToClassValidator(payload: object): boolean {
  const options = { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: true };
  return withContext(context, () => validateSync(plainToInstance(Tree, payload), options)).length === 0;
}

describe('the quick look', () => {
  const odd = fc.constantFrom<unknown>(null, 0, 1.5, '', 'x', 'too long', true, [], {}, [[]], Infinity);
  const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const leaf = fc.record(
    { id: mostly(fc.string({ minLength: 1, maxLength: 4 })), flag: mostly(fc.boolean()), odd },
    { requiredKeys: ['id'] },
  );
  const some = <T extends { odd?: unknown }>(usual: fc.Arbitrary<T>): fc.Arbitrary<object> =>
    fc
      .tuple(usual, fc.nat(9))
      .map(([{ odd: extra, ...rest }, luck]) => (luck === 0 ? { ...rest, odd: extra } : rest));
  const branch = some(
    fc.record(
      {
        label: mostly(fc.string({ maxLength: 5 })),
        leaves: mostly(fc.array(mostly(some(leaf)), { maxLength: 5 })),
        odd,
      },
      { requiredKeys: [] },
    ),
  );
  const day = fc.constantFrom('2026-01-01', '2026-02-28', '2026-02-30');
  const tree = some(
    fc.record(
      {
        name: mostly(fc.string({ minLength: 1 })),
        from: mostly(day),
        to: mostly(day),
        branches: mostly(fc.array(mostly(branch), { maxLength: 4 })),
        odd,
      },
      { requiredKeys: ['name', 'branches'] },
    ),
  );

  it('never accepts what class-validator refuses, nor refuses what no rule forbids', () => {
    let accepted = 0;
    fc.assert(
      fc.property(tree, (payload) => {
        const errors = verdict(payload);
        if (errors.length === 0) {
          accepted += 1;
          expect(isRightToClassValidator(payload)).toBe(true);
        } else if (isRightToClassValidator(payload)) {
          // class-validator passes over lists in lists, and does not know the rule over several fields.
          expect(
            errors.filter((error) => !/^(invalid_choice to|invalid branches\..*\d)$/.test(error)),
          ).toEqual([]);
        }
      }),
      { numRuns: 5_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
