import { WrongUsage } from '../common/errors.js';
import { unknownName } from '../common/near-matches.js';
import type { Fields, FieldType } from '../fields/fields.js';
import { Amounts, isZero, MINUS_MEANINGS, negated, NEGATIVE, scaled, signWords } from '../values/amounts.js';
import { DateForms } from '../values/date-forms.js';
import { Epoch, EPOCHS } from '../values/epoch.js';
import {
  TIMES_OF_THE_SERVICE,
  valueOfMapped,
  valueOfText,
  type AmountReader,
  type FieldValue,
  type MappedValue,
  type ValueForm,
} from '../values/field-value.js';
import {
  mapOf,
  object,
  objectOf,
  oneOf,
  optional,
  scalar,
  text,
  texts,
  wholeNumber,
} from './mapping-json.js';
import { AMBIGUOUS, Zone, type Ambiguous } from '../values/zones.js';

/** The columns from which the value of a field is read. */
export type FieldSource = ColumnSource | ColumnsSource;

/** One column, or one member of NDJSON. */
export interface ColumnSource {
  readonly column: string;
  readonly form: ValueForm;
}

/** Several columns that are read together. */
export interface ColumnsSource {
  readonly columns: readonly string[];
  /** Whether the columns contain the value itself, and not a condition that decides about it. */
  readonly isWritten?: true;
  /** @param cells the texts of the columns; empty if the row has none */
  readonly read: (cells: readonly string[]) => FieldValue;
}

/** A field in the new form of a mapping: its source, or a value that every row has. */
export type MappedField = FieldSource | { readonly constant: MappedValue };

/** The columns that a source reads. */
export function columnsOf(source: FieldSource): readonly string[] {
  return 'column' in source ? [source.column] : source.columns;
}

/** For each column, the fields that come from it alone. */
export function fieldsOfColumns({
  sources,
}: {
  readonly sources: ReadonlyMap<string, FieldSource>;
}): ReadonlyMap<string, readonly { readonly field: string; readonly form: ValueForm }[]> {
  const found = new Map<string, { field: string; form: ValueForm }[]>();
  for (const [field, source] of sources) {
    if (!('column' in source)) continue;
    const { column, form } = source;
    found.set(column, [...(found.get(column) ?? []), { field, form }]);
  }
  return found;
}

const WAYS = ['column', 'join', 'debit', 'credit', 'case', 'constant'];

/** The members allowed next to `column` and `join`, by field type. */
const BESIDE_COLUMN: Readonly<Partial<Record<FieldType, readonly string[]>>> = {
  number: ['amount', 'scale'],
  date: ['dates', 'language', 'first_year', 'epoch', 'timezone'],
  'date-time': ['moment', 'epoch'],
};

/**
 * Read a field of a mapping: the name of its column, or an object with one of {@link WAYS}.
 *
 * @throws WrongUsage
 * Source: choice L11.
 */
export function mappedField(owner: Fields, field: string, value: unknown, place: string): MappedField {
  if (typeof value === 'string') return { column: value, form: {} };
  const content = object(value, place);
  const type = owner.types.get(field) ?? 'text';
  if ('constant' in content)
    return { constant: scalar(objectOf(value, ['constant'], place).constant, `${place}.constant`) };
  if ('case' in content) return cases(type, objectOf(value, ['case', 'else'], place), place);
  if ('debit' in content || 'credit' in content) return debitAndCredit(type, value, place);
  const beside = ['values', ...(BESIDE_COLUMN[type] ?? [])];
  if ('join' in content) return joined(type, objectOf(value, ['join', 'with', ...beside], place), place);
  if (!('column' in content)) {
    const [name] = Object.keys(content);
    const sentence = `${place} does not say where the field comes from.`;
    if (name === undefined) throw new WrongUsage(`${sentence} Known are ${WAYS.join(', ')}.`);
    throw unknownName(sentence, name, WAYS);
  }
  const sign = type === 'number' ? ['sign'] : [];
  return column(type, objectOf(value, ['column', ...sign, ...beside], place), place);
}

function column(type: FieldType, content: Record<string, unknown>, place: string): FieldSource {
  const name = text(content.column, `${place}.column`);
  return content.sign === undefined
    ? { column: name, form: valueForm(type, content, place) }
    : signed(name, content, place);
}

/** The form in which the text of a column, or of several joined columns, is written. */
function valueForm(type: FieldType, content: Record<string, unknown>, place: string): ValueForm {
  const values = optional(content, 'values', place, (table, at) => mapOf(table, at, scalar));
  const hasAmount = content.amount !== undefined || content.scale !== undefined;
  const amounts = hasAmount ? amountsIn(content, place) : undefined;
  if (content.epoch !== undefined) {
    for (const word of ['dates', 'moment', 'language', 'first_year'])
      if (content[word] !== undefined) throw new WrongUsage(`${place} has both epoch and ${word}.`);
    const { zone } = zoneIn(content, place);
    const unit = oneOf(content.epoch, EPOCHS, `${place}.epoch`);
    if (type === 'date' && !zone)
      throw new WrongUsage(
        `${place}: an instant is of two days, by the clocks of one place and of another; name their "timezone", such as Europe/London or UTC.`,
      );
    return { values, dates: new Epoch(unit, zone) };
  }
  const dates = optional(content, 'dates', place, (forms, at) => datesOf(forms, content, at, place));
  for (const word of dates ? ['timezone'] : ['language', 'first_year', 'timezone'])
    if (content[word] !== undefined)
      throw new WrongUsage(`${place}.${word} needs "${word === 'timezone' ? 'epoch' : 'dates'}".`);
  return { values, amounts, dates, ...optional(content, 'moment', place, momentOf) };
}

/** Several columns whose texts together form one value, such as a day and a time. Either all of them have a text or none has. */
function joined(type: FieldType, content: Record<string, unknown>, place: string): ColumnsSource {
  const columns = texts(content.join, `${place}.join`);
  if (columns.length < 2) throw new WrongUsage(`${place}.join must name two columns or more.`);
  const between = text(content.with, `${place}.with`);
  const form = valueForm(type, content, place);
  return {
    columns,
    isWritten: true,
    read: (cells) => {
      const empty = columns.filter((_, index) => (cells[index] ?? '').trim() === '');
      if (empty.length === columns.length) return undefined;
      if (empty.length > 0) return { problem: `are one value, and ${empty.join(' and ')} is empty.` };
      const parts = type === 'text' ? cells : cells.map((cell) => cell.trim());
      return valueOfText(type, parts.join(between), form);
    },
  };
}

/** An unsigned amount whose sign comes from a word in another column. */
function signed(name: string, content: Record<string, unknown>, place: string): ColumnsSource {
  if (content.values !== undefined) throw new WrongUsage(`${place} has both sign and values.`);
  const amounts = amountsIn(content, place);
  const at = `${place}.sign`;
  const sign = objectOf(content.sign, ['column', 'words'], at);
  const words = signWords(wordsOf(sign.words, `${at}.words`), `${at}.words`);
  return {
    columns: [name, text(sign.column, `${at}.column`)],
    isWritten: true,
    read: ([cell = '', word = '']) => {
      if (cell.trim() === '') return undefined;
      const amount = amounts.read(cell);
      const by = words.get(word.trim().toLowerCase());
      if (typeof amount !== 'string') return amount;
      if (by === undefined) return { problem: 'have no sign that the mapping file names.' };
      if (amount.startsWith('-')) return { problem: 'have two signs.' };
      return by === -1 ? negated(amount) : amount;
    },
  };
}

function debitAndCredit(type: FieldType, value: unknown, place: string): ColumnsSource {
  const content = objectOf(value, ['debit', 'credit', 'minus', 'amount', 'scale'], place);
  if (type !== 'number') throw new WrongUsage(`${place}: debit and credit are of amounts only.`);
  const amounts = amountsIn(content, place);
  const minus = optional(content, 'minus', place, (meaning, at) => oneOf(meaning, MINUS_MEANINGS, at));
  return {
    columns: [text(content.debit, `${place}.debit`), text(content.credit, `${place}.credit`)],
    isWritten: true,
    read: (cells) => {
      const read = cells.map((cell) => (cell.trim() === '' ? undefined : amounts.read(cell)));
      const problem = read.find((amount) => typeof amount === 'object');
      if (problem) return problem;
      const [debit, credit] = read as (string | undefined)[];
      if (debit !== undefined && credit !== undefined && !isZero(debit) && !isZero(credit))
        return { problem: 'are a debit and a credit in one row.' };
      // The unused column often contains zero.
      const isCredit = credit !== undefined && (debit === undefined || isZero(debit));
      const amount = isCredit ? credit : debit;
      const isNegative = amount?.startsWith('-') === true;
      if (isNegative && minus === undefined)
        return {
          problem:
            'have a minus, which only repeats the column or turns it round; set "minus" to "sign" or "reversal" in the mapping file.',
        };
      const meant = amount !== undefined && isNegative && minus === 'sign' ? negated(amount) : amount;
      return meant !== undefined && isCredit ? negated(meant) : meant;
    },
  };
}

interface Case {
  readonly when: readonly (readonly [index: number, texts: readonly string[]])[];
  readonly then: FieldValue;
}

/** The first case whose columns all have one of its texts. Cases have one level; there is deliberately no expression language. */
function cases(type: FieldType, content: Record<string, unknown>, place: string): ColumnsSource {
  const columns: string[] = [];
  if (!Array.isArray(content.case) || content.case.length === 0)
    throw new WrongUsage(`${place}.case must be a list of cases.`);
  const known: Case[] = content.case.map((one: unknown, index) => {
    const at = `${place}.case.${index}`;
    const { when, then } = objectOf(one, ['when', 'then'], at);
    const conditions = mapOf(when, `${at}.when`, (values, of) => texts(values, of, true));
    if (conditions.size === 0) throw new WrongUsage(`${at}.when must name a column.`);
    const tests = [...conditions].map(([name, allowed]) => {
      if (!columns.includes(name)) columns.push(name);
      return [columns.indexOf(name), allowed] as const;
    });
    return { when: tests, then: sent(type, then, `${at}.then`) };
  });
  const isElse = content.else !== undefined;
  const otherwise = isElse ? sent(type, content.else, `${place}.else`) : undefined;
  return {
    columns,
    read: (cells) => {
      const found = known.find(({ when }) =>
        when.every(([index, allowed]) => allowed.includes((cells[index] ?? '').trim())),
      );
      if (found) return found.then;
      return isElse ? otherwise : { problem: 'fit no case of the mapping file, and it has no "else".' };
    },
  };
}

/** The JSON that is sent for a value of a mapping file. @throws WrongUsage when the value does not fit the field's type */
export function sent(type: FieldType, value: unknown, place: string): string | undefined {
  const json = valueOfMapped(type, scalar(value, place));
  if (typeof json === 'object') throw new WrongUsage(`${place} ${json.problem}`);
  return json;
}

const SCALE_MAX = 9;

/** @param content an object with `amount` and `scale`, both optional */
function amountsIn(content: Record<string, unknown>, place: string): AmountReader {
  const amounts = optional(content, 'amount', place, amountsOf) ?? new Amounts({}, place);
  const scale = optional(content, 'scale', place, (places, at) => wholeNumber(places, 1, SCALE_MAX, at));
  if (scale === undefined) return amounts;
  return {
    scale,
    read: (cell) => {
      const amount = amounts.read(cell);
      return typeof amount === 'string' ? scaled(amount, scale) : amount;
    },
  };
}

function wordsOf(value: unknown, place: string): Record<string, number> {
  return Object.fromEntries(mapOf(value, place, (sign, of) => oneOf(sign, [1, -1], of)));
}

function amountsOf(value: unknown, place: string): Amounts {
  const content = objectOf(value, ['decimal', 'thousands', 'negative', 'words', 'currency'], place);
  const options = {
    decimal: optional(content, 'decimal', place, (sign, at) => oneOf(sign, ['.', ','] as const, at)),
    thousands: optional(content, 'thousands', place, text),
    negative: optional(content, 'negative', place, (forms, at) =>
      texts(forms, at).map((form, index) => oneOf(form, NEGATIVE, `${at}.${index}`)),
    ),
    words: optional(content, 'words', place, wordsOf),
    currency: optional(content, 'currency', place, (signs, at) => texts(signs, at, true)),
  };
  return new Amounts(options, place);
}

const YEAR_MAX = 9_900;

/** @param content an object with `language` and `first_year` */
function datesOf(value: unknown, content: Record<string, unknown>, at: string, place: string): DateForms {
  return new DateForms(texts(value, at, true), at, {
    language: optional(content, 'language', place, text),
    firstYear: optional(content, 'first_year', place, (year, of) => wholeNumber(year, 1, YEAR_MAX, of)),
  });
}

/** Source: choice L16. */
function momentOf(value: unknown, place: string): ValueForm {
  const known = ['forms', 'timezone', 'ambiguous', 'language', 'first_year'];
  const content = objectOf(value, known, place);
  const dates = datesOf(content.forms ?? TIMES_OF_THE_SERVICE, content, `${place}.forms`, place);
  const { zone, ambiguous } = zoneIn(content, place);
  const [local] = dates.withoutOffset;
  if (local !== undefined && !zone) {
    throw new WrongUsage(
      `${place}: times in the form ${local} have no offset from UTC; name their "timezone", such as Europe/London.`,
    );
  }
  return { dates, zone, ambiguous };
}

/** The time zone that a mapping names, and which of two possible instants it chooses. */
export function zoneIn(
  content: Record<string, unknown>,
  place: string,
): { readonly zone: Zone | undefined; readonly ambiguous: Ambiguous | undefined } {
  const ambiguous = optional(content, 'ambiguous', place, (value, at) => oneOf(value, AMBIGUOUS, at));
  const zone = optional(content, 'timezone', place, (name, at) => new Zone(text(name, at), at));
  if (ambiguous && !zone) throw new WrongUsage(`${place}.ambiguous needs a "timezone".`);
  return { zone, ambiguous };
}

/** How the fields of all files of a kind are written, as the short form of a mapping says it. */
export function formOfKind(content: Record<string, unknown>, place: string): ValueForm {
  return {
    amounts: optional(
      content,
      'decimals',
      place,
      (decimal, at) => new Amounts({ decimal: oneOf(decimal, [',', '.'] as const, at) }, at),
    ),
    dates: optional(content, 'dates', place, (form, at) => new DateForms([text(form, at)], at)),
    ...zoneIn(content, place),
  };
}
