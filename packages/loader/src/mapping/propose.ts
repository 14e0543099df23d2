import { ACCOUNTS } from '@data-import/files';
import { fieldType, requiredFields, type FieldOwner, type MappedKind } from '../kinds/fields.js';
import { assign } from './assign.js';
import type { ColumnSample } from './column-shapes.js';
import { isNamed } from './column-words.js';
import { choicesOf } from './form-rules.js';
import { looksLikeSigns, OPEN } from './guess-values.js';
import { ValueProposals } from './propose-values.js';

/** The amounts whose sign may be in another column, the most likely first. */
const SIGNED_FIELDS = ['amount', 'gross_amount', 'net_amount'];

/** The part of a mapping entry about the fields of a file. Empty parts are left out. */
export interface Proposal {
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly constants?: Readonly<Record<string, string>>;
  readonly ignore?: readonly string[];
}

/** The form of a file, as a mapping file writes it. */
type Form = Readonly<Record<string, unknown>>;

/** An entry of a mapping file, for files that are alike. */
export interface ProposedEntry {
  match: string | string[];
  readonly kind: MappedKind;
  readonly rows?: Readonly<Record<string, readonly string[]>>;
  readonly form?: Form;
  fields?: Proposal['fields'];
  constants?: Proposal['constants'];
  ignore?: Proposal['ignore'];
  /** Columns for which nothing is proposed, because several fit one field. This is not part of the mapping file. */
  readonly left?: readonly string[];
}

export interface Proposed {
  readonly proposal: Proposal;
  /** Columns that are neither used nor ignored, because several fit one field. */
  readonly left: readonly string[];
  /** Sentences about guesses and about parts that have to be filled in. */
  readonly remarks: readonly string[];
}

/**
 * Propose the fields of a file. Columns are recognised by their names and by the names in other systems; the
 * forms of dates, amounts and booleans by their values.
 */
export function propose(owner: FieldOwner, samples: readonly ColumnSample[], form: Form = {}): Proposed {
  const remarks: string[] = [];
  const { columnOf, contested } = assign(owner, samples, remarks);
  const fields: Record<string, unknown> = {};
  const left = [...contested.values()].flat();
  const used = new Set([...columnOf.values(), ...left]);
  const free = (sign: 'debit' | 'credit' | 'sign'): string | undefined =>
    samples.find(({ name }) => !used.has(name) && isNamed(name, sign))?.name;
  const values = new ValueProposals(owner, samples, form.delimiter === ';', remarks);
  const amount = SIGNED_FIELDS.find((field) => fieldType(owner, field) === 'number');
  const [debit, credit] = [free('debit'), free('credit')];
  const isPair = debit !== undefined && credit !== undefined;
  const sign =
    free('sign') ?? samples.find(({ name, evidence }) => !used.has(name) && looksLikeSigns(evidence))?.name;
  for (const [field, column] of columnOf) {
    if (field === amount && (isPair || sign !== undefined)) continue;
    const said = values.sourceOf(field, column);
    if (said !== field) fields[field] = said;
  }
  for (const field of contested.keys()) fields[field] = OPEN;
  if (amount !== undefined && isPair) {
    const other = columnOf.get(amount);
    if (other !== undefined) {
      remarks.push(
        `${amount}: ${other} and the pair ${debit} and ${credit} fit alike, so none is taken. Put one in place of "${OPEN}", and the others in "ignore".`,
      );
      columnOf.delete(amount);
      left.push(other, debit, credit);
      fields[amount] = OPEN;
    } else if (!contested.has(amount)) fields[amount] = values.debitAndCredit(amount, debit, credit);
    for (const name of [debit, credit]) used.add(name);
  } else if (amount !== undefined && sign !== undefined) {
    const column = columnOf.get(amount);
    fields[amount] = values.signed(amount, column, sign);
    if (column === undefined) left.push(sign);
    used.add(sign);
  }
  const unused = samples.map(({ name }) => name).filter((name) => !used.has(name) && !name.startsWith('^.'));
  const isForRest = owner === ACCOUNTS.name;
  if (unused.length > 0)
    remarks.push(
      `${isForRest ? 'Put into "account"; list in "ignore" what is not wanted there' : 'Not used, listed in "ignore"'}: ${unused.join(', ')}.`,
    );
  const ignore = isForRest ? [] : unused;
  const missing = requiredFields(owner).filter(
    (field) => !columnOf.has(field) && fields[field] === undefined,
  );
  if (missing.length > 0) remarks.push(missingText(owner, missing));
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

function missingText(owner: FieldOwner, fields: readonly string[]): string {
  const known = fields
    .filter((field) => choicesOf(owner, field))
    .map((field) => ` Known for ${field} are ${choicesOf(owner, field)?.join(', ')}.`);
  return `No column was found for ${fields.join(', ')}: fill in "fields", or "constants" where it is the same in every row.${known.join('')}`;
}
