import { ACCOUNT, fieldType, isKind, type FieldOwner } from '../kinds/fields.js';
import { FACTS } from '../kinds/kinds.js';
import type { Evidence } from './column-forms.js';

/** A column and its values. */
export interface ColumnSample {
  readonly name: string;
  /** The values of the first rows. */
  readonly values: readonly string[];
  /** The forms of the values in all rows. */
  readonly evidence: Evidence;
  /** The forms of the values for each text of the record type, if a file has rows of several kinds. */
  readonly parts?: ReadonlyMap<string, Evidence>;
}

/** The number of values that are examined to decide what a column can be. */
const LOOKED_AT = 200;

const DAY =
  /^\D{0,12}\d{1,4}[-./ ]{1,2}(?:\d{1,2}|\p{L}{3,}\.?)[-./, ]{1,2}\d{1,4}(?!\d)|^\p{L}{3,9}\.? \d{1,2},? \d{4}|^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/u;
const NUMBER = /^[^\d\n]{0,6}\d[\d.,'’ \u00a0\u202f]*\D{0,6}$/;
const DECIMALS = /\d[.,]\d{2}(?!\d)\D{0,6}$/;
/** Several words without a digit, as in personal names. */
const WORDS = /^\D*\p{L}\s+\p{L}\D*$/u;

const isDay = (value: string): boolean => DAY.test(value);
const isDecimal = (value: string): boolean => !isDay(value) && NUMBER.test(value) && DECIMALS.test(value);
const isNumber = (value: string): boolean => !isDay(value) && NUMBER.test(value);
const hasDigit = (value: string): boolean => /\d/.test(value);

function filledIn({ values }: ColumnSample): string[] {
  const filled = values.map((value) => value.trim()).filter((value) => value !== '');
  return filled.slice(0, LOOKED_AT);
}

function mostAre(column: ColumnSample, is: (value: string) => boolean): boolean {
  const filled = filledIn(column);
  return filled.filter(is).length * 2 > filled.length;
}

/** Fields with free text for people. */
const FREE_TEXT = new Set(['body', 'note', 'display_note']);

/** Whether no value of a column contradicts a field. A column without values can be any field. */
export function canHold(owner: FieldOwner, field: string, column: ColumnSample): boolean {
  if (filledIn(column).length === 0) return true;
  const type = fieldType(owner, field);
  if (type === 'date' || type === 'date-time')
    return mostAre(column, hasDigit) && !mostAre(column, isDecimal);
  if (type === 'number') return mostAre(column, isNumber);
  if (type !== 'text') return true;
  if (mostAre(column, isDay)) return false;
  if (FREE_TEXT.has(field)) return !mostAre(column, isNumber);
  return isId(owner, field) ? !mostAre(column, (value) => WORDS.test(value)) : !mostAre(column, isDecimal);
}

/** Whether the values of a column look like ids. This is used if its name alone says little. */
export function looksLikeId(column: ColumnSample): boolean {
  const isId = (value: string): boolean => hasDigit(value) && !/\s/.test(value) && !isDay(value);
  return filledIn(column).length > 0 && filledIn(column).every(isId) && !mostAre(column, isDecimal);
}

function isId(owner: FieldOwner, field: string): boolean {
  return field === ACCOUNT || (isKind(owner) && FACTS[owner].key.includes(field));
}

/** The number of rows from which on it is no coincidence that values never repeat. */
const UNIQUE_FROM = 3;

/**
 * The shape of a field's values, and the words for a message about the only column with this shape; undefined for fields
 * without a shape.
 */
export function shapeOf(
  owner: FieldOwner,
  field: string,
): { readonly text: string; readonly has: (column: ColumnSample) => boolean } | undefined {
  const type = fieldType(owner, field);
  const all = (is: (value: string) => boolean) => (column: ColumnSample) =>
    filledIn(column).length > 0 && filledIn(column).every(is);
  if (type === 'date') return { text: 'of days', has: all(isDay) };
  if (type === 'number')
    return {
      text: 'of amounts with decimals',
      has: (column) => all(isNumber)(column) && filledIn(column).some(isDecimal),
    };
  if (field === ACCOUNT || !isId(owner, field) || !field.endsWith('_id')) return undefined;
  const isUnique = (column: ColumnSample): boolean =>
    column.values.length >= UNIQUE_FROM &&
    new Set(column.values.map((value) => value.trim())).size === column.values.length;
  return {
    text: 'whose values never repeat',
    has: (column) => looksLikeId(column) && isUnique(column),
  };
}
