import { posix } from 'node:path';
import fc from 'fast-check';
import { describeRules, expectSchema, named, NO_TEXTS } from '../../../../test/support/rules.js';
import { documentPath, pathProblem } from './document-path.js';

describeRules([
  [
    'a document path (F2)',
    documentPath,
    [
      ...NO_TEXTS,
      ['', 'blank'],
      ...named('right', 'a', 'a/b/c.pdf', 'Grüße/😀 2024 (1).pdf', '...', 'a..b/.hidden', '%2e%2e/a'),
      ...named('right', 'x'.repeat(1_024), 'é'.repeat(512)),
      ...named('invalid_document_path', '/a', 'a/', 'a//b', '.', '..', 'a/./b', 'a/../b', 'a/..', 'a\\b'),
      ...named('invalid_document_path', 'a\0', 'a\nb', 'a\x7f', 'a\x85', 'a\ud800'),
      ...named('invalid_document_path', 'x'.repeat(1_025), `${'é'.repeat(512)}x`),
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
    ...['', '.', '..', '...', '.a', 'a.', 'a b', 'é', '\\', '\u0000', '\n', '\u007f', '\u0085'],
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
