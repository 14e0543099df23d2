import type { FieldError, FieldErrorCode } from '../../../infrastructure/errors/errors.js';
import { identifier } from '../../../infrastructure/validation/rules/text.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../../ingest/kinds/items.js';
import type { ItemKind } from '../../../ingest/kinds/item-kind.js';
import type { RefusedField, RefusedItem, RefusedItems } from '../requests/refused-items.types.js';
import { storable } from './storable.js';

/** The most items of a refusal that are kept, errors of each item, and bytes of all of them as JSON. */
const ITEMS_MAX = 20;
const ERRORS_OF_ITEM_MAX = 20;
const BYTES_MAX = 4_096;

/** The most characters of a path within an item. Paths of documented fields have fewer than 40, but clients may send other fields. */
const ATTR_MAX = 128;
/** The most characters of a refused value that are kept: of a closed set, and of a day, a number or an id. */
export const VALUE_MAX = 128;
const PLAIN_VALUE_MAX = 40;

/**
 * The fields with a closed set of values. Their values are words of the supplier's own system. Values of other fields may
 * be a customer's data.
 */
export const FIELDS_WITH_CHOICES: ReadonlySet<string> = new Set([
  ...['type', 'reason', 'payment_type', 'unit_type', 'vendor'],
]);

/** The list of items in a request, and the field that is the id of an item. */
const LISTS: Readonly<Partial<Record<ImportKind, { readonly list: string; readonly id?: string }>>> = {
  notes: { list: 'notes' },
  transactions: { list: 'transactions', id: 'transaction_id' },
  statements: { list: 'statements', id: 'statement_id' },
};

/** The types of days and numbers. */
const PLAIN_TYPES = new Set(['date', 'timestamptz', 'numeric']);

/** The fields with a day, a number or an id. */
const PLAIN_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(ITEMS as Readonly<Record<string, ItemKind>>).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { type }]) => (PLAIN_TYPES.has(type) ? [name] : [])),
  ),
  ...['transaction_id', 'statement_id', 'number'],
  // Fields of a transaction's line items and tax items.
  ...[
    'start_date',
    'end_date',
    'number_of_units',
    'net_amount',
    'price_per_unit',
    'units',
    'value_taxed',
    'rate',
  ],
]);

/** A day, a number or an id. It matches nothing that could be a name, an address or a card number. */
const PLAIN_VALUE = /^(?!.*\d{12})(?:[\d.,:+\-/TZ]|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)+$/;

/**
 * The items of a refused request that are kept, as JSON: first the items at fault, with the values that may be kept, then
 * the others.
 *
 * @param body as parsed
 * @returns undefined when there is nothing to keep; at most 20 items and 4 kB
 * Source: choice C9; decision 22 (docs/decisions/).
 */
export function refusedItems(
  kind: ImportKind,
  errors: readonly FieldError[],
  body: object,
): string | undefined {
  const atFault = new Map<string, Fault>();
  const { list = '', id: idField = '' } = LISTS[kind] ?? {};
  for (const { attr, code } of errors) {
    const path = attr.split('.', PATH_MAX);
    const isOfItem = path[0] === list && path[1] !== undefined;
    const at = isOfItem ? storable(`${list}.${path[1]}`, ATTR_MAX) : '';
    const item = isOfItem ? memberOf(memberOf(body, list), path[1] ?? '') : body;
    let fault = atFault.get(at);
    if (!fault) {
      if (atFault.size === ITEMS_MAX) continue;
      fault = { at, id: idOf(item, idField), errors: [] };
      atFault.set(at, fault);
    }
    if (fault.errors.length < ERRORS_OF_ITEM_MAX)
      fault.errors.push(refusedField(code, isOfItem ? path.slice(2) : path, item));
  }
  const others: string[] = [];
  const sent = idField === '' ? undefined : memberOf(body, list);
  // The others are kept only by their ids.
  for (
    let n = 0;
    Array.isArray(sent) && n < sent.length && atFault.size + others.length < ITEMS_MAX;
    n += 1
  ) {
    const id = atFault.has(`${list}.${n}`) ? undefined : idOf(sent[n], idField);
    if (id !== undefined) others.push(id);
  }
  return asJson([...atFault.values()], others);
}

/** An item at fault while its errors are collected. */
type Fault = RefusedItem & { readonly errors: RefusedField[] };

/** The paths of documented fields have fewer parts. */
const PATH_MAX = 8;

function idOf(item: unknown, field: string): string | undefined {
  const id = field === '' ? undefined : memberOf(item, field);
  return typeof id === 'string' && identifier.violation(id) === undefined ? id : undefined;
}

function refusedField(code: FieldErrorCode, path: readonly string[], item: unknown): RefusedField {
  // An error about a whole item has no value.
  const value = path.length === 0 ? undefined : path.reduce<unknown>(memberOf, item);
  const field = { attr: storable(path.join('.'), ATTR_MAX), code };
  if (value === undefined) return field;
  const kept = keptValue(code, path, value);
  return { ...field, ...(kept === undefined ? formOf(value) : { value: kept }) };
}

/** The part of a refused value that may be kept. */
function keptValue(code: FieldErrorCode, path: readonly string[], value: unknown): string | undefined {
  // The client invented the name of an undocumented field, so the name says nothing about its value.
  if (code === 'unexpected_field') return undefined;
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  if (code === 'invalid_choice' && FIELDS_WITH_CHOICES.has(name))
    return typeof value === 'string' ? storable(value, VALUE_MAX) : undefined;
  if (!PLAIN_FIELDS.has(name) || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const text = String(value);
  return text.length <= PLAIN_VALUE_MAX && PLAIN_VALUE.test(text) ? text : undefined;
}

/** The type and length of a value, without its content. */
function formOf(value: unknown): Pick<RefusedField, 'form' | 'length'> {
  if (typeof value === 'string') return { form: 'text', length: value.length };
  if (Array.isArray(value)) return { form: 'list', length: value.length };
  if (value === null) return { form: 'null' };
  return { form: typeof value as 'number' | 'boolean' | 'object' };
}

export function memberOf(value: unknown, name: string): unknown {
  const isMember = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isMember ? (value as Record<string, unknown>)[name] : undefined;
}

/** The JSON of as many items as fit, with as many errors of the last one as fit. */
function asJson(atFault: readonly RefusedItem[], others: readonly string[]): string | undefined {
  if (atFault.length + others.length === 0) return undefined;
  const whole = JSON.stringify({
    ...(atFault.length > 0 && { at_fault: atFault }),
    ...(others.length > 0 && { others }),
  } satisfies RefusedItems);
  // A UTF-16 unit takes at most three bytes of UTF-8.
  if (whole.length * 3 <= BYTES_MAX || Buffer.byteLength(whole) <= BYTES_MAX) return whole;
  let left = BYTES_MAX - '{"at_fault":[],"others":[]}'.length;
  const take = (piece: string): boolean => {
    left -= Buffer.byteLength(piece) + 1;
    return left >= 0;
  };
  const faults: string[] = [];
  for (const item of atFault) {
    const errors = [...item.errors];
    let piece = JSON.stringify(item);
    while (Buffer.byteLength(piece) + 1 > left && errors.length > 0) {
      errors.pop();
      piece = JSON.stringify({ ...item, errors });
    }
    if (!take(piece)) break;
    faults.push(piece);
  }
  const ids = others.map((id) => JSON.stringify(id)).filter(take);
  return `{"at_fault":[${faults.join(',')}],"others":[${ids.join(',')}]}`;
}
