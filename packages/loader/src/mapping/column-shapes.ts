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
const lengthOf = (value: string): number => value.length;
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

/** For each type of field, the words for a message about the only column with its shape. */
export const SHAPES: Readonly<Partial<Record<string, string>>> = {
  date: 'of days',
  'date-time': 'of times',
  number: 'of amounts',
  text: 'whose values never repeat',
};

/** Whether the values of a column alone show that it may be the column of a field. */
export function hasShape(owner: FieldOwner, field: string, column: ColumnSample): boolean {
  const type = fieldType(owner, field);
  const filled = filledIn(column);
  if (filled.length === 0) return false;
  if (type === 'date') return filled.every(isDay);
  if (type === 'date-time') return filled.every((value) => isDay(value) && /\d:\d{2}/.test(value));
  if (type === 'number')
    // Whole numbers of one length are ids.
    return filled.every(isNumber) && (hasDecimals(column) || new Set(filled.map(lengthOf)).size > 1);
  if (field === ACCOUNT || !isId(owner, field) || !field.endsWith('_id')) return false;
  const { values } = column;
  const isUnique = new Set(values.map((value) => value.trim())).size === values.length;
  return looksLikeId(column) && isUnique && values.length >= UNIQUE_FROM;
}

export function hasDecimals(column: ColumnSample): boolean {
  return filledIn(column).some(isDecimal);
}
