import { posix } from 'node:path';
import fc from 'fast-check';
import { describeRules, expectSchema, NO_TEXTS } from '../../../../test/support/rules.js';
import { documentPath, pathProblem } from './document-path.js';

describeRules([
  [
    'a document path (F2)',
    documentPath,
    [
      ...NO_TEXTS,
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
]);

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

it('publishes a schema that accepts a path whenever the rule does', () => {
  expectSchema(documentPath, paths);
});

it('publishes a pattern for segments and characters of paths (F2)', () => {
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
