import { posix } from 'node:path';
import Fastify from 'fastify';
import fc from 'fast-check';
import {
  amount,
  calendarDay,
  decimalNumber,
  documentPath,
  identifier,
  list,
  moment,
  pathProblem,
  text,
  truth,
  wholeNumber,
  type FieldRule,
  type RuleContext,
} from './rules.js';

const context: RuleContext = { itemsMax: 3, catalogue: () => new Set() };

/** Code of the violation, or `right`. */
function verdict(rule: FieldRule, value: unknown): string {
  return rule.violation(value, context)?.code ?? 'right';
}

const noStrings: [unknown, string][] = [
  [null, 'null'],
  [1, 'invalid'],
  [true, 'invalid'],
  [[], 'invalid'],
  [{}, 'invalid'],
];

describe.each<[string, FieldRule, [unknown, string][]]>([
  [
    'text (T14)',
    text({ max: 3 }),
    [
      ...noStrings,
      ['', 'blank'],
      [' ', 'right'],
      ['abc', 'right'],
      ['abcd', 'max_length'],
      ['😀😀😀', 'right'],
      ['😀😀😀😀', 'max_length'],
      ['ab😀', 'right'],
      ['ab😀c', 'max_length'],
      ['a\0', 'invalid'],
      ['\ud83d', 'invalid'],
      ['\ude00a', 'invalid'],
      ['\ud83d\ude00', 'right'],
      ['\n\t\x01', 'right'],
    ],
  ],
  [
    'text that may be empty',
    text({ max: 3, blankAllowed: true }),
    [
      ['', 'right'],
      ['abcd', 'max_length'],
      [null, 'null'],
    ],
  ],
  [
    'an identifier (T14)',
    identifier,
    [
      ...noStrings,
      ['', 'blank'],
      ['x', 'right'],
      ['x'.repeat(128), 'right'],
      ['x'.repeat(129), 'max_length'],
      ['😀'.repeat(128), 'right'],
      ['😀'.repeat(129), 'max_length'],
    ],
  ],
  [
    'a calendar day (T12)',
    calendarDay,
    [...noStrings, ['2024-02-29', 'right'], ['2023-02-29', 'invalid'], ['', 'invalid']],
  ],
  [
    'a datetime (T12)',
    moment,
    [...noStrings, ['2024-02-29T00:00:00Z', 'right'], ['2024-02-29', 'invalid'], ['', 'invalid']],
  ],
  [
    'a boolean',
    truth,
    [
      [true, 'right'],
      [false, 'right'],
      ['true', 'invalid'],
      [1, 'invalid'],
      [null, 'null'],
    ],
  ],
  [
    'a list that carries the load (T15)',
    list({ min: 1 }),
    [
      [[], 'min_length'],
      [[1], 'right'],
      [[1, 2, 3], 'right'],
      [[1, 2, 3, 4], 'max_length'],
      [{ length: 1 }, 'invalid'],
      ['abc', 'invalid'],
      [null, 'null'],
    ],
  ],
  [
    'a list with a length of its own',
    list({ min: 0, max: 4 }),
    [
      [[], 'right'],
      [[1, 2, 3, 4], 'right'],
      [[1, 2, 3, 4, 5], 'max_length'],
    ],
  ],
  [
    'a document path (F2)',
    documentPath,
    [
      ...noStrings,
      ['', 'blank'],
      ['a', 'right'],
      ['a/b/c.pdf', 'right'],
      ['Grüße/😀 2024 (1).pdf', 'right'],
      ['...', 'right'],
      ['a..b/.hidden', 'right'],
      ['%2e%2e/a', 'right'],
      ['/a', 'invalid_document_path'],
      ['a/', 'invalid_document_path'],
      ['a//b', 'invalid_document_path'],
      ['.', 'invalid_document_path'],
      ['..', 'invalid_document_path'],
      ['a/./b', 'invalid_document_path'],
      ['a/../b', 'invalid_document_path'],
      ['a/..', 'invalid_document_path'],
      ['a\\b', 'invalid_document_path'],
      ['a\0', 'invalid_document_path'],
      ['a\nb', 'invalid_document_path'],
      ['a\x7f', 'invalid_document_path'],
      ['a\x85', 'invalid_document_path'],
      ['a\ud800', 'invalid_document_path'],
      ['x'.repeat(1_024), 'right'],
      ['x'.repeat(1_025), 'invalid_document_path'],
      ['é'.repeat(512), 'right'],
      [`${'é'.repeat(512)}x`, 'invalid_document_path'],
    ],
  ],
])('%s', (_name, rule, cases) => {
  it.each(cases)('%j: %s', (value, expected) => {
    expect(verdict(rule, value)).toBe(expected);
  });
});

describe('a path without a problem', () => {
  const segment = fc.oneof(
    fc.constantFrom('.', '..', '', '...', '%2e%2e', 'a', '\\', '\0', '..\\..', ' .. '),
    fc.string({ unit: 'grapheme' }),
  );
  const path = fc.oneof(
    fc.array(segment, { minLength: 1 }).map((segments) => segments.join('/')),
    fc.string(),
  );

  it('never leads out of the document root (F2)', () => {
    fc.assert(
      fc.property(path, (candidate) => {
        fc.pre(candidate !== '' && pathProblem(candidate) === undefined);
        const location = posix.join('/bucket/root', candidate);
        expect(location).toBe(`/bucket/root/${candidate}`);
        expect(posix.relative('/bucket/root', location)).toBe(candidate);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('the published schema', () => {
  const decimal = fc
    .tuple(fc.maxSafeInteger(), fc.nat({ max: 12 }))
    .map(([digits, decimals]) => Number(`${digits}e-${decimals}`));
  const words = fc.string({ unit: 'binary', maxLength: 5 });
  const paths = fc.array(fc.string({ unit: 'grapheme', minLength: 1 })).map((segments) => segments.join('/'));
  const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });

  it.each<[string, FieldRule, fc.Arbitrary<unknown>]>([
    ['text', text({ max: 3 }), words],
    ['text that may be empty', text({ max: 3, blankAllowed: true }), words],
    ['an amount', amount, decimal],
    ['an amount in hundredths', amount, fc.maxSafeInteger().map((hundredths) => hundredths / 100)],
    ['a number', decimalNumber, decimal],
    ['a whole number', wholeNumber({ min: -3, max: 3 }), fc.integer({ min: -5, max: 5 })],
    ['a path', documentPath, paths],
    ['a day', calendarDay, date.map((day) => day.toISOString().slice(0, 10))],
    ['a datetime', moment, date.map((time) => time.toISOString())],
    ['a list', list({ min: 1 }), fc.array(fc.nat())],
    ['a list of numbers', list({ max: 4, each: decimalNumber }), fc.array(decimal)],
  ])('takes %s whenever the rule takes it', async (_name, { violation, each, schema }, values) => {
    const matches = await validatorOf(schema);
    const isRight = (value: unknown): boolean =>
      violation(value, context) === undefined &&
      (!each || (value as unknown[]).every((item) => each.violation(item, context) === undefined));
    fc.assert(
      fc.property(values, (value) => {
        fc.pre(isRight(value));
        expect({ value, matches: matches(value) }).toEqual({ value, matches: true });
      }),
      { numRuns: 500 },
    );
  });
});

it('publishes of paths which segments and characters are right (F2)', () => {
  const part = fc.constantFrom(
    '',
    '.',
    '..',
    '...',
    '.a',
    'a.',
    'a b',
    'é',
    '\\',
    '\u0000',
    '\n',
    '\u007f',
    '\u0085',
  );
  const pattern = new RegExp(documentPath.schema.pattern as string);
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string({ unit: 'grapheme' })), { maxLength: 5 }), (parts) => {
      const path = parts.join('/');
      expect({ path, isRight: pattern.test(path) }).toEqual({
        path,
        isRight: pathProblem(path) === undefined,
      });
    }),
    { numRuns: 2_000 },
  );
});

/** What a client's validator makes of a schema: Ajv, which the HTTP framework brings along. */
async function validatorOf(schema: FieldRule['schema']): Promise<(value: unknown) => unknown> {
  const app = Fastify({ ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });
  let matches: ((value: unknown) => unknown) | undefined;
  app.post('/', { schema: { body: schema } }, (request) => request.body);
  app.addHook('onReady', () => {
    matches = app.validatorCompiler?.({ schema, method: 'POST', url: '/', httpPart: 'body' });
  });
  await app.ready();
  await app.close();
  if (!matches) throw new Error('There is no validator.');
  return matches;
}
