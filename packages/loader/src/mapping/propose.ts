import { nearMatches } from '../common/near-matches.js';
import { ACCOUNT, fieldNames, fieldType, operationOf, type FieldType } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';
import { guessBooleans, guessDates, guessDecimals } from './guess-values.js';
import { fieldsForName } from './synonyms.js';

/** A column, and values of the first rows. */
export interface ColumnSample {
  readonly name: string;
  readonly values: readonly string[];
}

/** The part of a mapping file for one kind; parts without content are left out. */
export interface Proposal {
  readonly columns?: Readonly<Record<string, string>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly values?: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  readonly dates?: string;
  readonly decimals?: string;
  readonly ignore?: readonly string[];
}

export interface Proposed {
  readonly proposal: Proposal;
  /** Sentences about what was guessed, or has to be filled in. */
  readonly remarks: readonly string[];
}

/**
 * Propose how the columns of a file are read: fields by their names, by what other systems call them and by near matches;
 * the forms of dates, decimals and booleans by the values of the first rows.
 */
export function propose(kind: Kind, samples: readonly ColumnSample[]): Proposed {
  const remarks: string[] = [];
  const columnOf = assign(kind, samples, remarks);
  const ignore = samples.map(({ name }) => name).filter((name) => ![...columnOf.values()].includes(name));
  if (ignore.length > 0) remarks.push(`Not used, listed in "ignore": ${ignore.join(', ')}.`);
  const missing = [ACCOUNT, ...operationOf(kind).required].filter((field) => !columnOf.has(field));
  if (missing.length > 0) {
    remarks.push(
      `No column was found for ${missing.join(', ')}: fill in "columns", or "constants" where it is the same in every row.`,
    );
  }
  const valuesOf = (...types: FieldType[]): string[] =>
    samples
      .filter(({ name }) =>
        [...columnOf].some(
          ([field, column]) => column === name && types.includes(fieldType(kind, field) ?? 'text'),
        ),
      )
      .flatMap(({ values }) => values.filter((value) => value !== ''));
  const dates = guessDates(valuesOf('date', 'date-time'));
  if (dates && dates.others.length > 0) {
    remarks.push(
      `The dates are read as ${dates.pattern}; ${dates.others.join(' and ')} would fit the first rows too. Check it.`,
    );
  }
  const decimals = guessDecimals(valuesOf('number'));
  const booleans = guessBooleans(valuesOf('boolean'));
  const booleanFields = [...columnOf.keys()].filter((field) => fieldType(kind, field) === 'boolean');
  const renamed = [...columnOf].filter(([field, column]) => field !== column);
  return {
    proposal: {
      ...(renamed.length > 0 && { columns: Object.fromEntries(renamed) }),
      ...(missing.length > 0 && { constants: Object.fromEntries(missing.map((field) => [field, ''])) }),
      ...(booleans && { values: Object.fromEntries(booleanFields.map((field) => [field, booleans])) }),
      ...(dates && { dates: dates.pattern }),
      ...(decimals && { decimals }),
      ...(ignore.length > 0 && { ignore }),
    },
    remarks,
  };
}

/** @returns by field the column that holds it */
function assign(kind: Kind, samples: readonly ColumnSample[], remarks: string[]): Map<string, string> {
  const columnOf = new Map<string, string>();
  const free = (): string[] =>
    samples.map(({ name }) => name).filter((name) => ![...columnOf.values()].includes(name));
  for (const field of fieldNames(kind)) if (free().includes(field)) columnOf.set(field, field);
  for (const name of free()) {
    const field = fieldsForName(kind, name).find((candidate) => !columnOf.has(candidate));
    if (field !== undefined) columnOf.set(field, name);
  }
  for (const name of free()) {
    const open = fieldNames(kind).filter((field) => !columnOf.has(field));
    const [field] = nearMatches(name, open);
    if (field === undefined) continue;
    columnOf.set(field, name);
    remarks.push(`The column ${name} is taken for ${field} because the names are similar. Check it.`);
  }
  return columnOf;
}
