import { nearMatches } from '@data-import/files';
import {
  ACCOUNT,
  fieldNames,
  fieldType,
  isKind,
  operationOf,
  requiredFields,
  type FieldOwner,
} from '../kinds/fields.js';
import { FACTS } from '../kinds/kinds.js';
import {
  guessAmounts,
  guessBooleans,
  guessChoices,
  guessDates,
  guessSign,
  UNKNOWN_CHOICE,
} from './guess-values.js';
import { CREDIT_NAMES, DEBIT_NAMES, fieldsForName, isNamed, SIGN_NAMES } from './synonyms.js';

/** What a spreadsheet makes of a long number. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,}$/i;

/** A column, and values of the first rows. */
export interface ColumnSample {
  readonly name: string;
  readonly values: readonly string[];
}

/** What a mapping file says of the fields of a file; parts without content are left out. */
export interface Proposal {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly ignore?: readonly string[];
}

export interface Proposed {
  readonly proposal: Proposal;
  /** Sentences about what was guessed, or has to be filled in. */
  readonly remarks: readonly string[];
}

/**
 * Propose how the columns of a file are read: fields by their names, by what other systems call them and by near matches;
 * the forms of dates, amounts and booleans by the values of the first rows.
 */
export function propose(owner: FieldOwner, samples: readonly ColumnSample[]): Proposed {
  const remarks: string[] = [];
  const columnOf = assign(owner, samples, remarks);
  const fields: Record<string, unknown> = {};
  const used = new Set(columnOf.values());
  const valuesOf = (column: string): string[] =>
    (samples.find(({ name }) => name === column)?.values ?? []).filter((value) => value.trim() !== '');
  const free = (names: readonly string[]): string | undefined =>
    samples.find(({ name }) => !used.has(name) && isNamed(name, names))?.name;
  for (const [field, column] of columnOf) {
    const said = sourceOf(owner, field, column, valuesOf(column), remarks);
    if (said !== field) fields[field] = said;
  }
  const amount = fieldNames(owner).find(
    (field) => field === 'amount' && fieldType(owner, field) === 'number',
  );
  const [debit, credit, sign] = [DEBIT_NAMES, CREDIT_NAMES, SIGN_NAMES].map(free);
  if (amount !== undefined && !columnOf.has(amount) && debit !== undefined && credit !== undefined) {
    const form = guessAmounts([...valuesOf(debit), ...valuesOf(credit)]);
    fields[amount] = { debit, credit, ...(form && { amount: form }) };
    for (const name of [debit, credit]) used.add(name);
  }
  const words = sign === undefined ? undefined : guessSign(valuesOf(sign));
  const column = columnOf.get(amount ?? '');
  if (amount !== undefined && column !== undefined && words) {
    const form = guessAmounts(valuesOf(column));
    fields[amount] = { column, ...(form && { amount: form }), sign: { column: sign, words } };
    if (sign !== undefined) used.add(sign);
  }
  const ignore = samples.map(({ name }) => name).filter((name) => !used.has(name));
  if (ignore.length > 0) remarks.push(`Not used, listed in "ignore": ${ignore.join(', ')}.`);
  const missing = requiredFields(owner).filter(
    (field) => !columnOf.has(field) && fields[field] === undefined,
  );
  if (missing.length > 0) {
    remarks.push(
      `No column was found for ${missing.join(', ')}: fill in "fields", or "constants" where it is the same in every row.`,
    );
  }
  return {
    proposal: {
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(missing.length > 0 && { constants: Object.fromEntries(missing.map((field) => [field, ''])) }),
      ...(ignore.length > 0 && { ignore }),
    },
    remarks,
  };
}

/** The fields that would be found by name, to judge what a file has. */
export function fieldsFound(owner: FieldOwner, samples: readonly ColumnSample[]): number {
  const found = assign(owner, samples, []);
  const required = requiredFields(owner).filter((field) => found.has(field));
  return required.length * 10 + found.size;
}

/** What a mapping says of a field that comes from one column: its name where the values need nothing. */
function sourceOf(
  owner: FieldOwner,
  field: string,
  column: string,
  values: readonly string[],
  remarks: string[],
): unknown {
  const type = fieldType(owner, field);
  const amount = type === 'number' ? guessAmounts(values) : undefined;
  if (amount) {
    remarks.push(`${field}: amounts are read with the decimal sign "${amount.decimal ?? '.'}". Check it.`);
    return { column, amount };
  }
  const rounded = values.find((value) => ROUNDED.test(value));
  if (rounded !== undefined && isKind(owner) && (field === ACCOUNT || FACTS[owner].key.includes(field)))
    remarks.push(
      `${field}: ${rounded} is a number that a spreadsheet has rounded, so different rows may have the same. Export the column as text.`,
    );
  const choices = isKind(owner) ? operationOf(owner).choices[field] : undefined;
  const meant = choices && guessChoices(values, choices);
  if (choices && meant) {
    const open = Object.keys(meant).filter((value) => meant[value] === UNKNOWN_CHOICE);
    remarks.push(
      open.length > 0
        ? `${field}: fill in what these mean: ${open.join(', ')}. Known are ${choices.join(', ')}; rows with "${UNKNOWN_CHOICE}" are rejected.`
        : `${field}: words are read as ${[...new Set(Object.values(meant))].join(', ')}. Check it.`,
    );
    return { column, values: meant };
  }
  const words = type === 'boolean' ? guessBooleans(values) : undefined;
  if (words) return { column, values: words };
  const dates = type === 'date' || type === 'date-time' ? guessDates(values) : undefined;
  if (!dates) return column;
  const { patterns, language, others } = dates;
  const said = patterns.join(' and ');
  if (others.length > 0) {
    remarks.push(
      `The dates of ${field} are read as ${said}; ${others.join(' and ')} would fit the first rows too. Check it.`,
    );
  } else if (patterns.length > 1) {
    remarks.push(
      `The dates of ${field} are in several forms, ${said}. Those that two read differently fail.`,
    );
  }
  const inLanguage = language === undefined ? {} : { language };
  if (type === 'date')
    return { column, dates: patterns.length === 1 ? patterns[0] : patterns, ...inLanguage };
  remarks.push(`${field} has times without an offset: fill in their "timezone", such as Europe/London.`);
  return { column, moment: { forms: patterns, timezone: '', ...inLanguage } };
}

/** @returns by field the column that holds it */
export function assign(
  owner: FieldOwner,
  samples: readonly ColumnSample[],
  remarks: string[],
): Map<string, string> {
  const columnOf = new Map<string, string>();
  const free = (): string[] =>
    samples.map(({ name }) => name).filter((name) => ![...columnOf.values()].includes(name));
  for (const field of fieldNames(owner)) if (free().includes(field)) columnOf.set(field, field);
  for (const name of free()) {
    const field = fieldsForName(owner, name).find((candidate) => !columnOf.has(candidate));
    if (field !== undefined) columnOf.set(field, name);
  }
  for (const name of free()) {
    const open = fieldNames(owner).filter((field) => !columnOf.has(field));
    const [field] = nearMatches(name, open);
    if (field === undefined) continue;
    columnOf.set(field, name);
    remarks.push(`The column ${name} is read as ${field} because the names are similar. Check it.`);
  }
  return columnOf;
}
