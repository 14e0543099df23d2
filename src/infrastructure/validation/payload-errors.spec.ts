import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import fc from 'fast-check';
import { runs } from '../../../test/support/runs.js';
import { AppError, ERRORS_MAX, fieldError } from '../errors/errors.js';
import { CrossField } from './cross-field-rule.decorator.js';
import {
  BooleanField,
  DateField,
  DecimalListField,
  IdentifierField,
  ListField,
  TextField,
} from './field.decorators.js';
import { passesFastPath } from './fast-path.js';
import { violationsOf } from './findings.js';
import { payloadErrors } from './payload-errors.js';
import { shapeOf } from './payload-shape.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';
import { withLimits } from './satisfies.decorator.js';

class Leaf {
  @IdentifierField()
  id: string;

  @BooleanField({ optional: true })
  flag?: boolean;

  @DecimalListField({ max: 3, optional: true })
  sizes?: number[];
}

class Branch {
  @TextField({ max: 5, blankAllowed: true, optional: true })
  label?: string;

  @ListField(() => Leaf, { max: 4, optional: true })
  leaves?: Leaf[];
}

class Root {
  @IdentifierField()
  name: string;
}

@CrossField<Tree>({
  needs: ['from', 'to'],
  errors: ({ from, to }) =>
    from !== undefined && to !== undefined && to < from ? [fieldError('invalid_choice', 'to')] : [],
})
class Tree extends Root {
  @DateField({ optional: true })
  from?: string;

  @DateField({ optional: true })
  to?: string;

  @ListField(() => Branch)
  branches: Branch[];
}

const limits: RuntimeLimits = { itemsMax: 3, catalogues: new Map() };

/** Code and place of every error, in order. */
function verdict(value: unknown): string[] {
  return payloadErrors(Tree, value, limits).map(({ code, attr }) => `${code} ${attr}`);
}

const right = {
  name: 'oak',
  from: '2026-01-01',
  to: '2026-01-01',
  branches: [{ leaves: [{ id: 'l' }] }, {}],
};

describe('payloadErrors', () => {
  it('finds no errors in a valid payload', () => {
    expect(verdict(right)).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    ['no object', [], ['invalid ']],
    ['null', null, ['null ']],
    ['nothing', {}, ['required name', 'required branches']],
    ['inherited fields first', { branches: 1, name: 1 }, ['invalid name', 'invalid branches']],
    [
      'fields in the order of the class, then unknown ones, then cross-field rules',
      { ...right, odd: 1, from: '2026-01-02', branches: [{ label: 1 }] },
      ['invalid branches.0.label', 'unexpected_field odd', 'invalid_choice to'],
    ],
    [
      'no cross-field rule of an invalid field',
      { ...right, from: '2026-13-01', to: '2025-01-01' },
      ['invalid from'],
    ],
    [
      'items in the order of their index, with their place',
      { ...right, branches: [{}, { leaves: [{}, { id: 'x', flag: null }] }, { label: 'too long' }] },
      ['required branches.1.leaves.0.id', 'null branches.1.leaves.1.flag', 'max_length branches.2.label'],
    ],
    [
      'items of a list of plain values with their place',
      { ...right, branches: [{ leaves: [{ id: 'l', sizes: [1, null, '1'] }] }] },
      ['null branches.0.leaves.0.sizes.1', 'invalid branches.0.leaves.0.sizes.2'],
    ],
    ['an object for a list', { ...right, branches: { constructor: null } }, ['invalid branches']],
    ['no items of a list that is too long', { ...right, branches: [1, 2, 3, 4] }, ['max_length branches']],
    ['lists in a list', { ...right, branches: [[], [[]]] }, ['invalid branches.0', 'invalid branches.1']],
    ['null in a list', { ...right, branches: [null] }, ['null branches.0']],
    ['a hole in a list', { ...right, branches: new Array(1) }, ['invalid branches.0']],
    ['undefined for a required field', { ...right, name: undefined }, ['required name']],
    [
      'keys that mean something to JavaScript',
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
  ])('reports unknown fields of %s only up to the last entry (T6)', (_where, payload, place) => {
    const names = Array.from({ length: 100_000 }, (_none, index) => `odd${index}`);
    const found = verdict(payload(Object.fromEntries(names.map((name) => [name, 1]))));
    const listed = names.slice(0, ERRORS_MAX + 1).map((name) => `unexpected_field ${place}${name}`);
    expect(found).toEqual(listed);
  });

  it('rejects a value that nests more deeply than any payload (T4)', () => {
    const nested: unknown = JSON.parse('['.repeat(100) + ']'.repeat(100));
    expect(() => verdict({ ...right, odd: nested })).toThrow(AppError);
    expect(() => verdict(nested)).toThrow(AppError);
  });

  it('uses the configured number of items at each call (T15)', () => {
    const payload = { ...right, branches: [{}, {}, {}, {}] };
    expect(payloadErrors(Tree, payload, { ...limits, itemsMax: 4 })).toEqual([]);
    expect(verdict(payload)).toEqual(['max_length branches']);
  });
});

/** Code and place of every error that plain class-validator finds in the whole payload. */
function plainVerdict(payload: object): string[] {
  const options = { whitelist: true, forbidNonWhitelisted: true };
  const errors = withLimits(limits, () => validateSync(plainToInstance(Tree, payload), options));
  return errors.flatMap((error) => codesOf(error, error.property));
}

function codesOf(error: ValidationError, place: string): string[] {
  const { constraints = {}, children = [] } = error;
  const names = Object.keys(constraints);
  if (names.includes('whitelistValidation')) return [`unexpected_field ${place}`];
  if (names.join() === 'nestedValidation') return [`${error.value === null ? 'null' : 'invalid'} ${place}`];
  // If the list itself is invalid, its items are not validated.
  if (names.length === 0) return children.flatMap((child) => codesOf(child, `${place}.${child.property}`));
  return violationsOf(error).map(({ code, index }) =>
    [code, [place, index].flatMap((part) => part ?? []).join('.')].join(' '),
  );
}

/** Whether class-validator cannot find the error: cross-field rules, and lists in lists. */
function isBeyond(payload: object, error: string): boolean {
  const [code, attr = ''] = error.split(' ');
  const value = attr
    .split('.')
    .reduce((outer: unknown, name) => (outer as Record<string, unknown>)[name], payload);
  return (
    error === 'invalid_choice to' ||
    (code === 'invalid' && /(branches|leaves)\.\d+$/.test(attr) && Array.isArray(value))
  );
}

describe('the fast path', () => {
  const odd = fc.constantFrom<unknown>(null, 0, 1.5, '', 'x', 'too long', true, [], {}, [[]], Infinity);
  const mostly = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const leaf = fc.record(
    {
      id: mostly(fc.string({ minLength: 1, maxLength: 4 })),
      flag: mostly(fc.boolean()),
      sizes: mostly(fc.array(mostly(fc.integer()), { maxLength: 4 })),
      odd,
    },
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

  it('accepts what class-validator accepts, and the errors answered are those that class-validator finds', () => {
    let accepted = 0;
    fc.assert(
      fc.property(tree, (payload) => {
        const plain = plainVerdict(payload);
        const answered = verdict(payload);
        if (answered.length === 0) accepted += 1;
        expect(passesFastPath(shapeOf(Tree), payload, limits)).toBe(answered.length === 0);
        const withoutBeyond = answered.filter((error) => !isBeyond(payload, error));
        expect(withoutBeyond.sort()).toEqual(plain.sort());
      }),
      { numRuns: runs(200) },
    );
    // Usually 70; without them, only invalid payloads would be compared.
    expect(accepted).toBeGreaterThan(0);
  });
});
