import { plainToInstance } from 'class-transformer';
import fc from 'fast-check';
import { validatorOf } from '../../../test/support/schema-validator.js';
import { FIELD_ERRORS } from '../errors/errors.js';
import {
  BooleanField,
  CatalogueField,
  QueryBooleanField,
  QueryIntegerField,
  schemaOf,
} from './field.decorators.js';
import { payloadErrors } from './payload-errors.js';
import { shapeOf } from './payload-shape.js';
import { NO_RUNTIME_LIMITS } from './rules/runtime-limits.js';

class Query {
  @QueryBooleanField({ optional: true })
  flag?: unknown;

  @QueryIntegerField({ min: -3, max: 3, optional: true })
  count?: unknown;
}

/** Code and sentence of the errors. */
const verdict = (payload: object): string[] =>
  payloadErrors(Query, payload, NO_RUNTIME_LIMITS).map(({ code, detail }) => `${code}: ${detail}`);

describe('BooleanField', () => {
  it.each([
    [true, []],
    [false, []],
    ['true', ['invalid: Expected true or false.']],
    [1, ['invalid: Expected true or false.']],
    [null, [`null: ${FIELD_ERRORS.null}`]],
  ])('%j: %j', (flag, errors) => {
    expect(verdict({ flag })).toEqual(errors);
  });
});

describe('QueryIntegerField', () => {
  it.each([
    [-3, []],
    [3, []],
    [-4, ['min_value: At least -3 is required.']],
    [4, ['max_value: At most 3 is allowed.']],
    [1.5, ['invalid: Expected a whole number.']],
    [4.5, ['invalid: Expected a whole number.']],
    ['1', ['invalid: Expected a whole number.']],
    [['1', '2'], ['invalid: Expected a whole number.']],
  ])('%j: %j', (count, errors) => {
    expect(verdict({ count })).toEqual(errors);
  });

  it('publishes a schema that accepts every value that the constraints accept', () => {
    const matches = validatorOf(schemaOf(Query, 'count'));
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double()), (count) => {
        expect(matches(count)).toBe(verdict({ count }).length === 0);
      }),
    );
  });
});

it('converts query parameters to their types (T11)', () => {
  expect(plainToInstance(Query, { flag: 'TRUE', count: '2' })).toEqual({ flag: true, count: 2 });
});

class Vehicle {
  @BooleanField()
  isNew: boolean;
}

class Car extends Vehicle {
  @CatalogueField('colour')
  colour: string;
}

it('knows which payloads need the catalogues', () => {
  expect([Vehicle, Car].map((type) => shapeOf(type).usesCatalogues)).toEqual([false, true]);
});
