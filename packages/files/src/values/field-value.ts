import { DOCUMENT_PATH, type FieldType, type RowError } from '../fields/fields.js';
import { scaled } from './amounts.js';
import { DateForms, type DateReader, type Reading } from './date-forms.js';
import { scanValue } from '../text/json-scanner.js';
import { numberToJson } from './numbers.js';
import type { Ambiguous, Zone } from './zones.js';

/** A value of a mapping file. */
export type MappedValue = string | number | boolean;

/** The form in which a file writes the values of a field. Parts that are not specified are in the form of the service. */
export interface ValueForm {
  /** For each text in the file, the value to send instead. */
  readonly values?: ReadonlyMap<string, MappedValue> | undefined;
  readonly amounts?: AmountReader | undefined;
  readonly dates?: DateReader | undefined;
  /** The zone of times without an offset (choice L16). */
  readonly zone?: Zone | undefined;
  readonly ambiguous?: Ambiguous | undefined;
}

export interface AmountReader {
  readonly read: (text: string) => Reading;
  /** The number of decimal places that the last digits of a whole number stand for. Amounts in minor units have 2. */
  readonly scale?: number;
}

/** The reason why a value cannot be read: a sentence without its subject, which is the place of the value. */
export interface Problem {
  readonly problem: string;
}

/** The JSON text of a field, undefined when the row does not have it, or why it cannot be read. */
export type FieldValue = string | undefined | Problem;

/** Forms with and without an offset, used when a mapping names a time zone but no form. */
export const TIMES_OF_THE_SERVICE = ['T', ' '].flatMap((between) =>
  ['Z', ''].map((end) => `YYYY-MM-DD${between}HH:mm:ss${end}`),
);

export const IN_THE_FORM_OF_THE_SERVICE = new DateForms(TIMES_OF_THE_SERVICE, 'timezone');

const PLAIN: ValueForm = {};

/**
 * The JSON of a field whose value is a text: a CSV cell, or a text that a mapping file produced.
 *
 * @param form the form of the field; its `values` are looked up first
 */
export function valueOfText(type: FieldType, text: string, form: ValueForm = PLAIN): FieldValue {
  const mapped = form.values?.get(text);
  // A value from the mapping file is already in the form of the service.
  if (mapped !== undefined) return valueOfMapped(type, mapped);
  if (text === '') return undefined;
  switch (type) {
    case 'text':
      return JSON.stringify(text);
    case 'date':
    case 'date-time':
      return dateValue(type, text, form);
    case 'number':
      return numberValue(text, form);
    case 'boolean':
      return booleanValue(text);
    case 'list':
      return listValue(text);
    case 'paths':
      return pathsValue(text);
  }
}

/** The JSON of a value from a mapping file. */
export function valueOfMapped(type: FieldType, value: MappedValue): FieldValue {
  if (typeof value !== 'string') return JSON.stringify(type === 'text' ? String(value) : value);
  if (type === 'text' && value !== '') return JSON.stringify(value);
  return valueOfText(type, value);
}

/**
 * The JSON of a field of an NDJSON row with a mapping. Texts are read like cells when the mapping says how they are written;
 * otherwise they stay as they are.
 *
 * @param json the value as written in the row
 * @param isNamed whether the mapping names the member for the field: then the digits of a whole number are a text
 */
export function valueOfJson(
  type: FieldType,
  json: string,
  form: ValueForm = PLAIN,
  isNamed = false,
): FieldValue {
  const isText = json.startsWith('"');
  if (form.values && !/^[[{]/.test(json)) {
    const mapped = form.values.get(textOfJson(json));
    if (mapped !== undefined) return valueOfMapped(type, mapped);
  }
  if (type === 'text' && isNamed && /^-?\d+$/.test(json)) return JSON.stringify(json);
  if (type === 'number' && form.amounts?.scale !== undefined && /^-?\d/.test(json))
    return scaled(json, form.amounts.scale);
  const hasForm =
    type === 'number'
      ? form.amounts !== undefined
      : (type === 'date-time' && form.zone !== undefined) || (isDate(type) && form.dates !== undefined);
  // Excel's days and the seconds since 1970 may be JSON numbers.
  const isRead = isText || (isDate(type) && /^-?\d/.test(json));
  return hasForm && isRead ? valueOfText(type, textOfJson(json), form) : json;
}

/** The text of a value: a string's content, or the JSON text of any other value. */
export function textOfJson(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The most characters that are shown of a value. */
const SEEN_MAX = 80;

/** The error of a row. Its detail says where the values are, but never contains them. */
export function errorOf(
  field: string,
  where: string,
  { problem }: Problem,
  values: readonly string[],
): RowError {
  const seen = values.map((value) => JSON.stringify(value.slice(0, SEEN_MAX))).join(' and ');
  return { code: 'invalid', attr: field, detail: `${where} ${problem}`, seen };
}

function isDate(type: FieldType): boolean {
  return type === 'date' || type === 'date-time';
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

function dateValue(type: FieldType, text: string, form: ValueForm): FieldValue {
  const { zone, ambiguous } = form;
  const dates = form.dates ?? (type === 'date-time' && zone ? IN_THE_FORM_OF_THE_SERVICE : undefined);
  if (dates === undefined) return JSON.stringify(text.trim());
  if (isBlank(text)) return undefined;
  const value = type === 'date' ? dates.toDay(text) : dates.toDateTime(text, zone, ambiguous);
  return typeof value === 'string' ? JSON.stringify(value) : value;
}

function numberValue(text: string, { amounts }: ValueForm): FieldValue {
  if (amounts) return isBlank(text) ? undefined : amounts.read(text);
  return (
    numberToJson(text) ?? {
      problem: 'is no number with a decimal point. For another form of amounts use a mapping file.',
    }
  );
}

function booleanValue(text: string): FieldValue {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'false') return word;
  return { problem: 'is not true or false. For other words set "values" in a mapping file.' };
}

function listValue(text: string): FieldValue {
  const bytes = Buffer.from(text);
  const stopsAt = scanValue(bytes, 0, bytes.length);
  if (stopsAt === -1) return text.trim();
  return { problem: `is no JSON list: it is not JSON from its byte ${stopsAt + 1} on.` };
}

/** A JSON list, or paths separated by `|`. */
function pathsValue(text: string): FieldValue {
  if (text.trimStart().startsWith('[')) return listValue(text);
  return JSON.stringify(text.split('|').map((path) => ({ [DOCUMENT_PATH]: path })));
}
