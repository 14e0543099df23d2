import { canonicalDateTime, DOCUMENT_PATH } from '@data-import/files';
import { FACTS, type Kind } from '../kinds/kinds.js';

/**
 * The key of an item within its account: `transaction_id`; `statement_id`; `vendor:reference`. The key of a note is a line with
 * `created_at` in UTC and whole seconds (empty when it is not sent), followed by the body, or the list of documents when there is
 * no body, and the fields between these in the key.
 *
 * @param values of the key's fields, in their order; undefined for a field that the item lacks
 * @returns undefined when the item has no key, or has it in a form that the service rejects
 * Source: choices N1, N4, X4, H3, P2; see keyOfEarlier for notes without `created_at`.
 */
export function keyOf(kind: Kind, values: readonly unknown[]): string | undefined {
  if (kind === 'notes') return noteKey(values);
  if (!values.every((value) => typeof value === 'string' && value !== '')) return undefined;
  return values.join(':');
}

function noteKey([body, paths, ...others]: readonly unknown[]): string | undefined {
  const createdAt = others.at(-1);
  const further = others.slice(0, -1);
  const moment = typeof createdAt === 'string' ? canonicalDateTime(createdAt) : createdAt;
  if (moment !== undefined && typeof moment !== 'string') return undefined;
  // The service rejects this date-time.
  if (createdAt !== undefined && moment === undefined) return undefined;
  const content = typeof body === 'string' && body !== '' ? body : pathList(paths);
  if (content === undefined) return undefined;
  const more = further.length > 0 ? `\u0000${JSON.stringify(further)}` : '';
  return `${moment ?? ''}\n${content}${more}`;
}

/** The list as JSON. It cannot be mistaken for a body, because it begins with a character that no written text begins with. */
function pathList(paths: unknown): string | undefined {
  if (!Array.isArray(paths) || paths.length === 0) return undefined;
  const names = paths.map(pathOf);
  return names.every((name) => typeof name === 'string') ? `\u0000${JSON.stringify(names)}` : undefined;
}

/**
 * The key under which to find the earlier row of the account that a row repeats. It is the row's own key. For a note without
 * `created_at` it is the key of its content, because the service treats it as any earlier note with that content (choice N4).
 */
export function keyOfEarlier(kind: Kind, key: string): string {
  return kind === 'notes' && key.startsWith('\n') ? anyDate(key) : key;
}

/** The keys under which a row is kept for later ones, see {@link keyOfEarlier}. */
export function keysForLater(kind: Kind, key: string): readonly string[] {
  return kind === 'notes' ? [key, anyDate(key)] : [key];
}

/** The key of a note without its date-time, for any date-time. "any" is never a date-time. */
function anyDate(key: string): string {
  return `any${key.slice(key.indexOf('\n'))}`;
}

/** The document path of an element of a list. */
function pathOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && DOCUMENT_PATH in entry
    ? entry[DOCUMENT_PATH]
    : undefined;
}

/** The most characters that are shown of a note. */
const SHOWN_OF_NOTE = 40;

/**
 * The label of a row: its id, `vendor:reference`, or the first characters of a note's body or, without a body, of its first document.
 * Empty when it has none of them.
 *
 * @param item JSON text of an object
 * Source: choice V9.
 */
export function keyText(kind: Kind, item: string): string {
  const fields = JSON.parse(item) as Record<string, unknown>;
  const [first, ...others] = FACTS[kind].key.map((name) => fields[name]);
  if (kind !== 'notes') return [first, ...others].map(textOrEmpty).join(':');
  const [paths] = others;
  const text = textOrEmpty(first) || textOrEmpty(Array.isArray(paths) ? pathOf(paths[0]) : undefined);
  return Array.from(text).slice(0, SHOWN_OF_NOTE).join('');
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
