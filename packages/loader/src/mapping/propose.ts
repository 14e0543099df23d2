import { nearMatches } from '../common/near-matches.js';
import { fieldNames, fieldType, requiredFields, type FieldOwner } from '../kinds/fields.js';
import type { Evidence } from './column-forms.js';
import { looksLikeSigns, OPEN } from './guess-values.js';
import { ValueProposals } from './propose-values.js';
import { CREDIT_NAMES, DEBIT_NAMES, fieldsForName, isNamed, SIGN_NAMES } from './synonyms.js';

/** A column, and what is written in it. */
export interface ColumnSample {
  readonly name: string;
  /** Of the first rows. */
  readonly values: readonly string[];
  /** Of all rows. */
  readonly evidence: Evidence;
  /** By the text that says what a row is, where a file has rows of several kinds. */
  readonly parts: ReadonlyMap<string, Evidence>;
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

/** The amounts whose sign another column can say, the likeliest first. */
const SIGNED_FIELDS = ['amount', 'gross_amount', 'net_amount'];

/**
 * Propose how the columns of a file are read: fields by their names, by what other systems call them and by near matches;
 * the forms of dates, amounts and booleans by their values.
 */
export function propose(owner: FieldOwner, samples: readonly ColumnSample[], delimiter = ','): Proposed {
  const remarks: string[] = [];
  const columnOf = assign(owner, samples, remarks);
  const fields: Record<string, unknown> = {};
  const used = new Set(columnOf.values());
  const free = (names: readonly string[]): string | undefined =>
    samples.find(({ name }) => !used.has(name) && isNamed(name, names))?.name;
  const [debit, credit] = [DEBIT_NAMES, CREDIT_NAMES].map(free);
  const sign =
    free(SIGN_NAMES) ??
    samples.find(({ name, evidence }) => !used.has(name) && looksLikeSigns(evidence))?.name;
  const amount = SIGNED_FIELDS.find((field) => fieldType(owner, field) === 'number');
  const values = new ValueProposals(owner, samples, delimiter, remarks);
  for (const [field, column] of columnOf) {
    if (field === amount && sign !== undefined) continue;
    const said = values.sourceOf(field, column);
    if (said !== field) fields[field] = said;
  }
  if (amount !== undefined && !columnOf.has(amount) && debit !== undefined && credit !== undefined) {
    fields[amount] = values.debitAndCredit(amount, debit, credit);
    for (const name of [debit, credit]) used.add(name);
  } else if (amount !== undefined && sign !== undefined) {
    fields[amount] = values.signed(amount, columnOf.get(amount), sign);
    used.add(sign);
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
    remarks,
  };
}

/** The fields that would be found by name, to judge what a file has. */
export function fieldsFound(owner: FieldOwner, samples: readonly ColumnSample[]): number {
  const found = assign(owner, samples, []);
  const required = requiredFields(owner).filter((field) => found.has(field));
  return required.length * 10 + found.size;
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
