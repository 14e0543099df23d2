import { buildSchema, getIntrospectionQuery, parse, validate, type ValidationRule } from 'graphql';
import { oncePerOperation, sizeLimit } from './query-limits.js';

const SCHEMA = buildSchema('type Query { deeper: Query leaf: Int }');

const EVERYTHING = {
  ...{ specifiedByUrl: true, directiveIsRepeatable: true, schemaDescription: true },
  ...{ inputValueDeprecation: true, oneOf: true },
};

function findings(query: string, rule: ValidationRule): string[] {
  return validate(SCHEMA, parse(query), [rule]).map(({ message }) => message);
}

/** Nested fields, of which the innermost is a leaf. */
function nested(depth: number): string {
  return `${'{ deeper '.repeat(depth - 1)}{ leaf }${' }'.repeat(depth - 1)}`;
}

function inRow(count: number, field = 'leaf'): string {
  return Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
}

describe('the limits on the size of an operation', () => {
  it.each([
    ['six levels', nested(6), 0],
    ['seven levels', nested(7), 1],
    ['six levels through a fragment', `{ deeper { ...F } } fragment F on Query ${nested(5)}`, 0],
    ['seven levels through a fragment', `{ deeper { ...F } } fragment F on Query ${nested(6)}`, 1],
    ['seven levels inline', `{ deeper { ... on Query ${nested(6)} } }`, 1],
    ['a hundred fields', `{ ${inRow(100)} }`, 0],
    ['a hundred and one', `{ ${inRow(101)} }`, 1],
    ['a fragment counted wherever it is used', `{ ...F ...F } fragment F on Query { ${inRow(51)} }`, 1],
    [
      'introspection',
      `{ __schema { types { fields { type { ${'ofType { '.repeat(3)} name ${'}'.repeat(8)}`,
      0,
    ],
    ['the introspection query of the tools', getIntrospectionQuery(EVERYTHING), 0],
    ['four hundred introspection fields', `{ __schema { types { ${inRow(398, 'name')} } } }`, 0],
    ['four hundred and one', `{ __schema { types { ${inRow(399, 'name')} } } }`, 1],
    ['many type names', `{ ${inRow(401, '__typename')} }`, 1],
    [
      'introspection aliases that multiply',
      `{ __schema { types { ...A } } }
       fragment A on __Type { ${inRow(30, 'fields { ...B }')} }
       fragment B on __Field { ${inRow(30, 'type { ...C }')} }
       fragment C on __Type { ${inRow(30, 'name')} }`,
      1,
    ],
    ['fragments that contain themselves', '{ ...A } fragment A on Query { leaf ...A }', 0],
    ['a fragment that is not there', '{ ...Missing }', 0],
  ])('are checked for %s (A9)', (_case, query, expected) => {
    expect(findings(query, sizeLimit)).toHaveLength(expected);
  });

  it('are checked quickly when fragments multiply (A9)', () => {
    const bomb = Array.from(
      { length: 60 },
      (_, n) => `fragment F${n} on Query { ...F${n + 1} ...F${n + 1} }`,
    );
    const query = `{ ...F0 } ${bomb.join(' ')} fragment F60 on Query { leaf }`;
    expect(findings(query, sizeLimit)).toEqual(['The operation selects more than 100 fields.']);
  });
});

describe('a field that may be selected once in an operation', () => {
  it.each([
    ['once', '{ leaf }', 0],
    ['twice', '{ a: leaf b: leaf }', 1],
    ['once in each of two operations', 'query A { leaf } query B { leaf }', 0],
    ['through fragments', '{ ...F ...G } fragment F on Query { a: leaf } fragment G on Query { b: leaf }', 1],
    ['in one fragment used twice', '{ ...F ...F } fragment F on Query { leaf }', 0],
    ['at a deeper level, where it is another field', '{ leaf deeper { leaf } }', 0],
    ['in fragments that contain themselves', '{ ...F } fragment F on Query { leaf ...F }', 0],
  ])('is counted: %s (A9)', (_case, query, expected) => {
    expect(findings(query, oncePerOperation('leaf'))).toHaveLength(expected);
  });
});
