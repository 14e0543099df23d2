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
import { assign } from './assign.js';
import type { ColumnSample } from './column-shapes.js';
import { isNamed } from './column-words.js';
import { guessAmounts, guessBooleans, guessChoices, guessDates, guessSign, OPEN } from './guess-values.js';

/** What a spreadsheet makes of a long number. */
const ROUNDED = /^[+-]?\d(?:[.,]\d+)?E\+\d{2,}$/i;

/** What a mapping file says of the fields of a file; parts without content are left out. */
export interface Proposal {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly ignore?: readonly string[];
}

export interface Proposed {
  readonly proposal: Proposal;
  /** Columns that are neither taken nor ignored, because several fit one field. */
  readonly left: readonly string[];
  /** Sentences about what was guessed, or has to be filled in. */
  readonly remarks: readonly string[];
}

/**
 * Propose how the columns of a file are read: fields by their names, by what other systems call them and by near matches;
 * the forms of dates, amounts and booleans by the values of the first rows.
 */
export function propose(owner: FieldOwner, samples: readonly ColumnSample[]): Proposed {
  const remarks: string[] = [];
  const { columnOf, contested } = assign(owner, samples, remarks);
  const fields: Record<string, unknown> = {};
  const left = [...contested.values()].flat();
  const used = new Set([...columnOf.values(), ...left]);
  const valuesOf = (column: string): string[] =>
    (samples.find(({ name }) => name === column)?.values ?? []).filter((value) => value.trim() !== '');
  const free = (sign: 'debit' | 'credit' | 'sign'): string | undefined =>
    samples.find(({ name }) => !used.has(name) && isNamed(name, sign))?.name;
  for (const [field, column] of columnOf) {
    const said = sourceOf(owner, field, column, valuesOf(column), remarks);
    if (said !== field) fields[field] = said;
  }
  const amount = fieldNames(owner).find(
    (field) => field === 'amount' && fieldType(owner, field) === 'number',
  );
  for (const field of contested.keys()) fields[field] = OPEN;
  const [debit, credit, sign] = [free('debit'), free('credit'), free('sign')];
  if (amount !== undefined && debit !== undefined && credit !== undefined) {
    const other = columnOf.get(amount);
    if (other !== undefined) {
      remarks.push(
        `${amount}: ${other} and the pair ${debit} and ${credit} fit alike, so none is taken. Put one in place of "${OPEN}", and the others in "ignore".`,
      );
      columnOf.delete(amount);
      left.push(other, debit, credit);
      fields[amount] = OPEN;
    } else if (!contested.has(amount)) {
      const form = guessAmounts([...valuesOf(debit), ...valuesOf(credit)]);
      fields[amount] = { debit, credit, ...(form && { amount: form }) };
    }
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
      ...(missing.length > 0 && { constants: Object.fromEntries(missing.map((field) => [field, OPEN])) }),
      ...(ignore.length > 0 && { ignore }),
    },
    left: [...new Set(left)],
    remarks,
  };
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
    const open = Object.keys(meant).filter((value) => meant[value] === OPEN);
    remarks.push(
      open.length > 0
        ? `${field}: fill in what these mean: ${open.join(', ')}. Known are ${choices.join(', ')}; rows with "${OPEN}" are rejected.`
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
