import { canonicalDateTime } from './dates.js';
import { canonicalNumber } from './numbers.js';
import type { Kind } from './row.js';

/**
 * The content of an item in one form: members in the order of their names, no space, each number in the form that all texts
 * of the same number share (RFC 8785 for every number that the service takes). What the service does not tell apart is the
 * same: of a note an empty body, an empty list of documents and `is_pinned` false are left out, and date-times are in UTC.
 * Two items have the same content exactly if these texts are equal.
 *
 * @param item JSON text of an object
 */
export function canonicalContent(kind: Kind, item: string): string {
  if (kind !== 'notes' && !MAY_HAVE_INEXACT_NUMBER.test(item)) return writeValue(JSON.parse(item));
  const members = new Reader(item).object();
  if (kind === 'notes') {
    for (const field of ['created_at', 'unpin_at']) {
      const sent = members.get(field);
      const value = sent?.startsWith('"') ? canonicalDateTime(JSON.parse(sent) as string) : undefined;
      if (value !== undefined) members.set(field, JSON.stringify(value));
    }
    for (const [field, absent] of ABSENT) if (members.get(field) === absent) members.delete(field);
  }
  return writeObject(members);
}

/**
 * Something that may be a number which JSON.parse does not keep: of more than 15 digits, or of an exponent of three. Every other
 * item is written from its value, in a quarter of the time.
 */
const MAY_HAVE_INEXACT_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

function writeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  // No number that is not finite comes out of JSON with these digits, and -0 is written as 0.
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(writeValue).join(',')}]`;
  let text = '';
  for (const [name, quoted] of orderOf(Object.keys(value))) {
    text += (text === '' ? '{' : ',') + quoted + writeValue((value as Record<string, unknown>)[name]);
  }
  return text === '' ? '{}' : `${text}}`;
}

type MemberOrder = readonly (readonly [name: string, quoted: string])[];

/** Orders that are known; the rows of a file have few. */
const ORDERS = new Map<string, MemberOrder>();
const ORDERS_MAX = 1_000;

function orderOf(names: readonly string[]): MemberOrder {
  const shape = names.length > 1 ? names.join('\n') : (names[0] ?? '');
  const known = ORDERS.get(shape);
  if (known?.length === names.length) return known;
  const order = names.toSorted().map((name) => [name, `${JSON.stringify(name)}:`] as const);
  if (ORDERS.size < ORDERS_MAX && !names.some((name) => name.includes('\n'))) ORDERS.set(shape, order);
  return order;
}

const ABSENT = [
  ['body', '""'],
  ['document_paths', '[]'],
  ['is_pinned', 'false'],
] as const;

function writeObject(members: ReadonlyMap<string, string>): string {
  const sorted = [...members].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`;
}

/**
 * Reads a text that is known to be JSON and returns the canonical text of each value. It goes from character to character,
 * because a regular expression exhausts the stack on a string with millions of escapes.
 */
class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  object(): Map<string, string> {
    const members = new Map<string, string>();
    this.skipTo('{');
    while (this.next() !== '}') {
      const name = JSON.parse(this.string()) as string;
      this.skipTo(':');
      members.set(name, this.value());
    }
    this.at += 1;
    return members;
  }

  private value(): string {
    const first = this.next();
    if (first === '{') return writeObject(this.object());
    if (first === '[') return this.list();
    if (first === '"') return JSON.stringify(JSON.parse(this.string()));
    const from = this.at;
    while (this.at < this.text.length && !ENDS_VALUE.has(this.text.charAt(this.at))) this.at += 1;
    const word = this.text.slice(from, this.at);
    return /^[-\d]/.test(word) ? canonicalNumber(word) : word;
  }

  private list(): string {
    const values: string[] = [];
    this.skipTo('[');
    while (this.next() !== ']') values.push(this.value());
    this.at += 1;
    return `[${values.join(',')}]`;
  }

  /** @returns the text of a string with its quotes */
  private string(): string {
    const from = this.at;
    this.at += 1;
    while (this.text.charAt(this.at) !== '"') this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    this.at += 1;
    return this.text.slice(from, this.at);
  }

  /** @returns the first character of what follows, space and commas passed over */
  private next(): string {
    while (BETWEEN.has(this.text.charAt(this.at))) this.at += 1;
    return this.text.charAt(this.at);
  }

  private skipTo(character: string): void {
    this.at = this.text.indexOf(character, this.at) + 1;
  }
}

const BETWEEN = new Set(' \t\r\n,');
const ENDS_VALUE = new Set(' \t\r\n,]}');
