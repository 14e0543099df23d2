import type { PlainRule } from './rule.js';
import { wrongType } from './violation.js';

const PATH_BYTES_MAX = 1_024;

/**
 * The segments and characters that {@link pathProblem} accepts, for the published schema. The control characters are spelled out,
 * because not every language's regular expressions have a class for them.
 */
const PATH_SHAPE =
  /^(?!\.{1,2}(?:\/|$))[^\/\\\x00-\x1f\x7f-\x9f]+(?:\/(?!\.{1,2}(?:\/|$))[^\/\\\x00-\x1f\x7f-\x9f]+)*$/;

/**
 * A document's path below the supplier's document root. Its segments are joined with `/`; none is empty, `.` or `..`, and none
 * contains a backslash or control character. It has up to 1,024 bytes of UTF-8. So the joined location never leaves the root.
 *
 * Source: specification 2.9; choices F2, T14.
 */
export const documentPath: PlainRule = {
  violation: (value) => {
    if (typeof value !== 'string') return wrongType(value, 'a string');
    if (value === '') return { code: 'blank' };
    const problem = pathProblem(value);
    return problem === undefined ? undefined : { code: 'invalid_document_path', detail: problem };
  },
  schema: {
    type: 'string',
    minLength: 1,
    maxLength: PATH_BYTES_MAX,
    pattern: PATH_SHAPE.source,
    description: `Relative to the document root of the import supplier: no \`/\` at the beginning or end, no empty, \`.\` or \`..\` segment, no backslash, no control character, at most ${PATH_BYTES_MAX.toLocaleString('en')} bytes of UTF-8.`,
  },
};

/** The form of nearly every path: letters, digits and a few signs, and no segment that begins with a dot. */
const PLAIN_PATH = /^[\w-][\w. -]*(?:\/[\w-][\w. -]*)*$/;

/** @returns what is wrong with a relative path, as a sentence; undefined if it is safe to join */
export function pathProblem(path: string): string | undefined {
  if (path.length <= PATH_BYTES_MAX && PLAIN_PATH.test(path)) return undefined;
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return `The path is longer than ${PATH_BYTES_MAX} bytes.`;
  if (!path.isWellFormed()) return 'The path contains a lone surrogate.';
  if (/[\p{Cc}\\]/u.test(path)) return 'The path contains a control character or a backslash.';
  const segments = path.split('/');
  if (segments[0] === '') return 'The path is absolute; it must be relative to the document root.';
  if (segments.includes('')) return 'The path has an empty segment.';
  return segments.some((segment) => segment === '.' || segment === '..')
    ? 'The path has a "." or ".." segment.'
    : undefined;
}
