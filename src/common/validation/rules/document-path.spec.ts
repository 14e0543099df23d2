import { posix } from 'node:path';
import fc from 'fast-check';
import { validatorOf } from '../../../../test/support/schema-validator.js';
import type { PlainRule } from './rule.js';
import { documentPath, pathProblem } from './document-path.js';

/** Code of the violation, or `right`. */
const verdict = (rule: PlainRule, value: unknown): string => rule.violation(value)?.code ?? 'right';

const noStrings: [unknown, string][] = [
  [null, 'null'],
  [1, 'invalid'],
  [true, 'invalid'],
  [[], 'invalid'],
  [{}, 'invalid'],
];

describe.each<[string, PlainRule, [unknown, string][]]>([
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

const paths = fc.array(fc.string({ unit: 'grapheme', minLength: 1 })).map((segments) => segments.join('/'));

describe('the published schema', () => {
  it.each<[string, PlainRule, fc.Arbitrary<unknown>]>([['a path', documentPath, paths]])(
    'accepts %s whenever the rule does',
    (_name, rule, values) => {
      const matches = validatorOf(rule.schema);
      fc.assert(
        fc.property(values, (value) => {
          fc.pre(rule.violation(value) === undefined);
          expect({ value, matches: matches(value) }).toEqual({ value, matches: true });
        }),
        { numRuns: 500 },
      );
    },
  );
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
    { numRuns: 500 },
  );
});
