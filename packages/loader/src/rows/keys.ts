import { canonicalDateTime } from './dates.js';
import type { Kind } from './row.js';

/** The fields of a kind that its key is made of. */
export const KEY_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  notes: ['body', 'document_paths', 'created_at'],
  statements: ['statement_id'],
  'payment-instructions': ['vendor', 'reference'],
  transactions: ['transaction_id'],
};

/**
 * What identifies an item within its account: `transaction_id`; `statement_id`; `vendor:reference`; of a note a line with
 * `created_at` in UTC and whole seconds, empty where it is not sent, and after it the body, or the list of documents where
 * there is no body.
 *
 * @param values of {@link KEY_FIELDS}, in their order; undefined where the item has none
 * @returns undefined when the item lacks what identifies it, or has it in a form that the service refuses
 * Source: docs/loading.md, "Two are the same if they have the same".
 */
export function keyOf(kind: Kind, values: readonly unknown[]): string | undefined {
  if (kind === 'notes') return noteKey(values);
  if (!values.every((value) => typeof value === 'string' && value !== '')) return undefined;
  return values.join(':');
}

function noteKey([body, paths, createdAt]: readonly unknown[]): string | undefined {
  const moment = typeof createdAt === 'string' ? canonicalDateTime(createdAt) : createdAt;
  if (moment !== undefined && typeof moment !== 'string') return undefined;
  // A date-time that the service refuses.
  if (createdAt !== undefined && moment === undefined) return undefined;
  const content = typeof body === 'string' && body !== '' ? body : pathList(paths);
  return content === undefined ? undefined : `${moment ?? ''}\n${content}`;
}

/** The list as JSON, which cannot be mistaken for a body: it begins with a character that no text of people begins with. */
function pathList(paths: unknown): string | undefined {
  if (!Array.isArray(paths) || paths.length === 0) return undefined;
  const names = paths.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null && 'document_path' in entry ? entry.document_path : undefined,
  );
  return names.every((name) => typeof name === 'string') ? `\u0000${JSON.stringify(names)}` : undefined;
}

/** A key of a note without its date-time; two notes of which one has none are the same if these are equal. */
export function noteContent(key: string): { readonly createdAt: string; readonly content: string } {
  const end = key.indexOf('\n');
  return { createdAt: key.slice(0, end), content: key.slice(end + 1) };
}
