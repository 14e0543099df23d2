import { DOCUMENT_PATH, type FieldType } from '../kinds/fields.js';
import { DateForms } from './date-forms.js';
import { scanValue } from './json-scanner.js';
import type { KindMapping, MappedValue } from './mapping.js';
import { numberToJson } from './numbers.js';
import type { RowError } from './row.js';

/** With an offset and without, where a mapping names a time zone and no form. */
const TIMES_OF_THE_SERVICE = new DateForms(
  ['T', ' '].flatMap((between) =>
    ['Z', '.SSSZ', '', '.SSS'].map((end) => `YYYY-MM-DD${between}HH:mm:ss${end}`),
  ),
  'timezone',
);

/** The JSON text of a field, undefined where the row has none; or why it cannot be read. */
export type FieldValue = string | undefined | RowError;

/**
 * The JSON of a field whose value is given as text: a cell of CSV, or a text that a mapping file produced.
 *
 * @param mapping of the kind; its `values` come first, then its forms of dates and decimals
 */
export function valueOfText(field: string, type: FieldType, sent: string, mapping: KindMapping): FieldValue {
  const mapped = mapping.values.size === 0 ? undefined : mapping.values.get(field)?.get(sent);
  const text = mapped === undefined ? sent : String(mapped);
  if (text === '') return undefined;
  // A value that the mapping file gives is in the form of the service already.
  if (mapped !== undefined) return valueOfMapped(field, type, mapped);
  switch (type) {
    case 'text':
      return JSON.stringify(text);
    case 'date':
    case 'date-time':
      return dateValue(field, type, text, mapping);
    case 'number':
      return numberToJson(text, mapping.decimals) ?? invalid(field, notANumber(mapping));
    case 'boolean':
      return booleanValue(field, text);
    case 'list':
      return listValue(field, text);
    case 'paths':
      return pathsValue(field, text);
  }
}

/** The JSON of a value from a mapping file. */
export function valueOfMapped(field: string, type: FieldType, value: MappedValue): FieldValue {
  if (typeof value !== 'string') return JSON.stringify(type === 'text' ? String(value) : value);
  if (value === '') return undefined;
  if (type === 'text' || type === 'date' || type === 'date-time') return JSON.stringify(value);
  if (type === 'boolean') return booleanValue(field, value);
  if (type === 'list') return listValue(field, value);
  if (type === 'paths') return pathsValue(field, value);
  return numberToJson(value) ?? invalid(field, 'The value of the mapping file is no number.');
}

/**
 * The JSON of a field of an NDJSON row to which a mapping applies: texts are read as those of a cell where the mapping says
 * how they are written, and stay as they are otherwise.
 *
 * @param type undefined when it is no field of the kind
 * @param json the value as it stands in the row
 */
export function valueOfJson(
  field: string,
  type: FieldType | undefined,
  json: string,
  mapping: KindMapping,
): FieldValue {
  if (type === undefined) return json;
  const table = mapping.values.get(field);
  const isText = json.startsWith('"');
  if (table !== undefined && !/^[[{]/.test(json)) {
    const mapped = table.get(isText ? (JSON.parse(json) as string) : json);
    if (mapped !== undefined) return valueOfMapped(field, type, mapped);
  }
  if (!isText) return json;
  const hasForm =
    type === 'number'
      ? mapping.decimals !== undefined
      : (type === 'date-time' && mapping.zone !== undefined) || (mapping.dates !== undefined && isDate(type));
  return hasForm ? valueOfText(field, type, JSON.parse(json) as string, mapping) : json;
}

function isDate(type: FieldType): boolean {
  return type === 'date' || type === 'date-time';
}

function dateValue(field: string, type: FieldType, text: string, mapping: KindMapping): FieldValue {
  const { zone, ambiguous } = mapping;
  const dates = mapping.dates ?? (type === 'date-time' && zone ? TIMES_OF_THE_SERVICE : undefined);
  if (dates === undefined) return JSON.stringify(text.trim());
  const value = type === 'date' ? dates.toDay(text) : dates.toDateTime(text, zone, ambiguous);
  return typeof value === 'string' ? JSON.stringify(value) : invalid(field, `The value ${value.problem}`);
}

function notANumber({ decimals }: KindMapping): string {
  return decimals === undefined
    ? 'Expected a number with a decimal point. For another form set "decimals" in a mapping file.'
    : `Expected a number with the decimal sign "${decimals}". One separator before three digits could mean two numbers.`;
}

function booleanValue(field: string, text: string): FieldValue {
  const word = text.trim().toLowerCase();
  if (word === 'true' || word === 'false') return word;
  return invalid(field, 'Expected true or false. For other words set "values" in a mapping file.');
}

function listValue(field: string, text: string): FieldValue {
  const bytes = Buffer.from(text);
  const stopsAt = scanValue(bytes, 0, bytes.length);
  if (stopsAt === -1) return text.trim();
  return invalid(field, `Expected a JSON list; the cell is not JSON from its byte ${stopsAt + 1} on.`);
}

/** A JSON list, or paths separated by `|`. */
function pathsValue(field: string, text: string): FieldValue {
  if (text.trimStart().startsWith('[')) return listValue(field, text);
  return JSON.stringify(text.split('|').map((path) => ({ [DOCUMENT_PATH]: path })));
}

function invalid(field: string, detail: string): RowError {
  return { code: 'invalid', attr: field, detail };
}
