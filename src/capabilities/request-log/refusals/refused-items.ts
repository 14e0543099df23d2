import type { FieldError, FieldErrorCode } from '../../../infrastructure/errors/errors.js';
import { identifier } from '../../../infrastructure/validation/rules/text.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../../ingest/kinds/items.js';
import type { ItemKind } from '../../../ingest/kinds/item-kind.js';
import type { RefusedField, RefusedItem, RefusedItems } from '../requests/refused-items.types.js';
import { storable } from './storable.js';

/** Items of a refusal that are kept, errors of each, and bytes of all as JSON. */
const ITEMS_MAX = 20;
const ERRORS_OF_ITEM_MAX = 20;
const BYTES_MAX = 4_096;

/** Characters of a path within an item; the longest of a documented field has less than 40, a client may name others. */
const ATTR_MAX = 128;
/** Most characters of a refused value that are kept: of a closed set, and of a day, a number or an id. */
export const VALUE_MAX = 128;
const MEASURE_MAX = 40;

/**
 * The fields with a closed set of values. What is sent in them is a word of the supplier's own system; values of other fields may be
 * a customer's data.
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
const MEASURED = new Set(['date', 'timestamptz', 'numeric']);

/** The fields with a day, a number or an id. */
const MEASURES: ReadonlySet<string> = new Set([
  ...Object.values(ITEMS as Readonly<Record<string, ItemKind>>).flatMap(({ fields }) =>
    Object.entries(fields).flatMap(([name, { type }]) => (MEASURED.has(type) ? [name] : [])),
  ),
  ...['transaction_id', 'statement_id', 'number'],
  // Of the lines and taxes of a transaction.
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

/** What a day, a number or an id consists of; nothing that a name or an address could be, nor a number of a card. */
const MEASURE = /^(?!.*\d{12})(?:[\d.,:+\-/TZ]|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)+$/;

/**
 * The items of a refused request that are kept, as JSON: those at fault, with what was sent as far as it may be kept, then the
 * others.
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
  // Without an id there is nothing to find the others by.
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

/** Documented paths have fewer names. */
const PATH_MAX = 8;

function idOf(item: unknown, field: string): string | undefined {
  const id = field === '' ? undefined : memberOf(item, field);
  return typeof id === 'string' && identifier.violation(id) === undefined ? id : undefined;
}

function refusedField(code: FieldErrorCode, path: readonly string[], item: unknown): RefusedField {
  // Of an item as a whole there is no value.
  const value = path.length === 0 ? undefined : path.reduce<unknown>(memberOf, item);
  const field = { attr: storable(path.join('.'), ATTR_MAX), code };
  if (value === undefined) return field;
  const kept = keptValue(code, path, value);
  return { ...field, ...(kept === undefined ? formOf(value) : { value: kept }) };
}

/** What may be kept of a refused value. */
function keptValue(code: FieldErrorCode, path: readonly string[], value: unknown): string | undefined {
  // The client has invented the name of an undocumented field: it says nothing of what is in it.
  if (code === 'unexpected_field') return undefined;
  const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
  if (code === 'invalid_choice' && FIELDS_WITH_CHOICES.has(name))
    return typeof value === 'string' ? storable(value, VALUE_MAX) : undefined;
  if (!MEASURES.has(name) || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
  const text = String(value);
  return text.length <= MEASURE_MAX && MEASURE.test(text) ? text : undefined;
}

/** What sort of value it is, and how long: nothing of what it says. */
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

/** As many of the items, and of the errors of the last one, as fit. */
function asJson(atFault: readonly RefusedItem[], others: readonly string[]): string | undefined {
  if (atFault.length + others.length === 0) return undefined;
  const whole = JSON.stringify({
    ...(atFault.length > 0 && { at_fault: atFault }),
    ...(others.length > 0 && { others }),
  } satisfies RefusedItems);
  // A unit of UTF-16 takes three bytes of UTF-8 at most.
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
