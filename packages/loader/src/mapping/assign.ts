import { ACCOUNTS } from '@data-import/files';
import { FACTS } from '../kinds/kinds.js';
import { ACCOUNT, fieldNames, fieldType, isKind, requiredFields, type FieldOwner } from '../kinds/fields.js';
import { canHold, hasDecimals, hasShape, looksLikeId, SHAPES, type ColumnSample } from './column-shapes.js';
import { fitsOf, mayBeAbout, normalised, speaksOf } from './column-words.js';

/** The columns of a file that are assigned to fields. */
export interface Assigned {
  /** The column of each field, in the order of the fields. */
  readonly columnOf: Map<string, string>;
  /** For each field that has no column because several fit equally well, these columns. */
  readonly contested: Map<string, readonly string[]>;
}

/** One way to find the columns of fields. A field takes a column that is the only one to fit. */
interface Pass {
  readonly fields: readonly string[];
  readonly fits: (field: string, column: ColumnSample) => boolean;
  /** The reason to name in a remark, if the columns that are found have to be checked. */
  readonly why?: (field: string) => string;
  /** Whether no column is taken, even if only one fits. */
  readonly isOpen?: boolean;
}

/**
 * Assign columns to fields: by their names, by the words of other systems, and by the values of the first rows.
 *
 * @param hasShapes whether the values of columns count, and not only their names
 */
export function assign(
  owner: FieldOwner,
  samples: readonly ColumnSample[],
  remarks: string[],
  hasShapes = isKind(owner),
): Assigned {
  const columnOf = new Map<string, string>();
  const contested = new Map<string, readonly string[]>();
  const isFree = ({ name }: ColumnSample): boolean =>
    ![...columnOf.values(), ...[...contested.values()].flat()].includes(name);
  const isOpen = (field: string): boolean => !columnOf.has(field) && !contested.has(field);
  for (const pass of [
    ...namePasses(owner, samples),
    ...(hasShapes ? [shapePass(owner, samples, isOpen)] : []),
  ])
    for (const field of pass.fields.filter(isOpen)) {
      const names = samples
        .filter((column) => isFree(column) && pass.fits(field, column))
        .map(({ name }) => name);
      const [name, ...others] = names;
      if (name === undefined) continue;
      if (others.length === 0 && !pass.isOpen) {
        columnOf.set(field, name);
        if (pass.why)
          remarks.push(`The column ${name} is read as ${field} because ${pass.why(field)}. Check it.`);
      } else {
        contested.set(field, names);
        const why = pass.isOpen
          ? `may be the number of a bank account, because the file has codes of banks. Put the column of the customer's in place of "?"`
          : 'fit alike, so none is taken. Put one in place of "?", and the others in "ignore"';
        remarks.push(`${field}: ${names.join(' and ')} ${why}.`);
      }
    }
  const order = fieldNames(owner);
  const inOrder = [...columnOf].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return { columnOf: new Map(inOrder), contested };
}

/** The passes that find columns by their names, the most certain first. The name of a field beats all others. */
function namePasses(owner: FieldOwner, samples: readonly ColumnSample[]): Pass[] {
  const [fields, required] = [fieldNames(owner), requiredFields(owner)];
  const isOfBank = samples.some(({ name }) => speaksOf(name, 'iban'));
  const fits = new Map(samples.map(({ name }) => [name, fitsOf(owner, name)]));
  const byName = (nameOf: (column: string) => string) => (field: string, column: ColumnSample) =>
    nameOf(column.name) === field && !isNumberOfAccount(field, column);
  const byWords = (isWeak: boolean, isPlain: boolean) => (field: string, column: ColumnSample) => {
    const fit = fits.get(column.name)?.get(field);
    if (fit?.isWeak !== isWeak || (isOfBank && fit.isPlain) !== isPlain) return false;
    return canHold(owner, field, column) && (!isWeak || field !== ACCOUNT || looksLikeId(column));
  };
  return [
    { fields, fits: byName(String) },
    { fields, fits: byName(normalised) },
    { fields: required, fits: byWords(false, false) },
    { fields: required, fits: byWords(false, true), isOpen: true },
    { fields: required, fits: byWords(true, false) },
    { fields, fits: byWords(false, false) },
    { fields, fits: byWords(true, false) },
  ];
}

/**
 * The pass that finds the only column with values of a certain shape, unless its name contradicts this. Several columns of
 * numbers are candidates for an amount.
 */
function shapePass(
  owner: FieldOwner,
  samples: readonly ColumnSample[],
  isOpen: (field: string) => boolean,
): Pass {
  const times = (isKind(owner) ? FACTS[owner].key : []).filter(
    (field) => fieldType(owner, field) === 'date-time',
  );
  const fields = [...requiredFields(owner), ...times];
  const fits = (field: string, column: ColumnSample): boolean => {
    const type = fieldType(owner, field);
    const hasRival = fields.some((one) => one !== field && isOpen(one) && fieldType(owner, one) === type);
    const isNumber = type === 'number';
    const mayHave = ({ name }: ColumnSample): boolean =>
      mayBeAbout(owner, field, name) && !(isNumber && speaksOf(name, 'quantity'));
    if ((hasRival && type !== 'text') || !mayHave(column)) return false;
    const like = samples.filter((one) => hasShape(owner, field, one) && (!isNumber || mayHave(one)));
    return like.includes(column) && (isNumber ? like.some(hasDecimals) : like.length === 1);
  };
  return { fields, fits, why: (field) => `it is the only one ${SHAPES[fieldType(owner, field) ?? 'text']}` };
}

/** Whether a column has the name of the field with the whole account as an object, but contains texts that are not objects. */
function isNumberOfAccount(field: string, { values }: ColumnSample): boolean {
  return field === ACCOUNTS.rest?.field && values.some((value) => /^[^{]/.test(value.trim()));
}

/** A score for the fields of a kind that the column names of a file provide. Required fields count most. */
export function fieldsFound(owner: FieldOwner, samples: readonly ColumnSample[]): number {
  const { columnOf, contested } = assign(owner, samples, [], false);
  const found = [...columnOf.keys(), ...contested.keys()];
  const required = requiredFields(owner).filter((field) => found.includes(field));
  return required.length * 10 + found.length;
}
