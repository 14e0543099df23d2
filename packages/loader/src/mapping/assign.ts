import { ACCOUNTS } from '@data-import/files';
import { ACCOUNT, fieldNames, fieldType, isKind, requiredFields, type FieldOwner } from '../kinds/fields.js';
import { canHold, looksLikeId, shapeOf, type ColumnSample } from './column-shapes.js';
import { fitsOf, isMistyped, mayBeAbout, speaksOf } from './column-words.js';
import { normalised } from './synonyms.js';

/** The columns of a file that are assigned to fields. */
export interface Assigned {
  /** The column of each field. */
  readonly columnOf: Map<string, string>;
  /** For each field that has no column because several fit equally well, these columns. */
  readonly contested: Map<string, readonly string[]>;
}

/** Assigns columns to fields, the most certain first. */
class Assignment implements Assigned {
  readonly columnOf = new Map<string, string>();
  readonly contested = new Map<string, readonly string[]>();

  constructor(
    private readonly owner: FieldOwner,
    private readonly samples: readonly ColumnSample[],
    private readonly remarks: string[],
  ) {}

  /** Fields that have no column yet. */
  open(fields: readonly string[]): string[] {
    return fields.filter((field) => !this.columnOf.has(field) && !this.contested.has(field));
  }

  /** Columns that are not assigned to a field. */
  free(): ColumnSample[] {
    const used = new Set([...this.columnOf.values(), ...[...this.contested.values()].flat()]);
    return this.samples.filter(({ name }) => !used.has(name));
  }

  take(field: string, columns: readonly ColumnSample[]): void {
    const [first, ...more] = columns.map(({ name }) => name);
    if (first === undefined) return;
    if (more.length === 0) this.columnOf.set(field, first);
    else
      this.leave(
        field,
        columns,
        'fit alike, so none is taken. Put one in place of "?", and the others in "ignore"',
      );
  }

  private leave(field: string, columns: readonly ColumnSample[], why: string): void {
    const names = columns.map(({ name }) => name);
    this.contested.set(field, names);
    this.remarks.push(`${field}: ${names.join(' and ')} ${why}.`);
  }

  /** Assign columns that have the name of a field. Such a name beats all others. */
  byName(fields: readonly string[]): void {
    for (const is of [
      (name: string, field: string): boolean => name === field,
      (name: string, field: string): boolean => normalised(name) === field,
    ]) {
      for (const field of this.open(fields))
        this.take(
          field,
          this.free().filter((column) => is(column.name, field) && !isNumberOfAccount(field, column)),
        );
    }
  }

  byWords(fields: readonly string[], isWeak: boolean): void {
    const isOfBank = this.samples.some(({ name }) => speaksOf(name, 'iban'));
    const fits = new Map(this.samples.map(({ name }) => [name, fitsOf(this.owner, name)]));
    for (const field of this.open(fields)) {
      const fitting = this.free().filter((column) => {
        const fit = fits.get(column.name)?.find((one) => one.field === field);
        if (fit?.isWeak !== isWeak || !canHold(this.owner, field, column)) return false;
        return !(isWeak && field === ACCOUNT) || looksLikeId(column);
      });
      const isPlain = ({ name }: ColumnSample): boolean =>
        isOfBank && (fits.get(name)?.some((one) => one.field === field && one.isPlain) ?? false);
      const own = fitting.filter((column) => !isPlain(column));
      if (own.length > 0 || fitting.length === 0) this.take(field, own);
      else
        this.leave(
          field,
          fitting,
          `may be the number of a bank account, because the file has codes of banks. Put the column of the customer's in place of "?"`,
        );
    }
  }

  /** Assign columns whose names look like mistyped ones. */
  byLikeness(fields: readonly string[]): void {
    for (const field of this.open(fields)) {
      const [column] = this.free().filter(
        (one) => isMistyped(one.name, field) && canHold(this.owner, field, one),
      );
      if (!column) continue;
      this.take(field, [column]);
      this.remarks.push(
        `The column ${column.name} is read as ${field} because the names are similar. Check it.`,
      );
    }
  }

  /** Assign the only column with values of a certain shape, unless its name contradicts this. */
  byShape(fields: readonly string[]): void {
    const open = this.open(fields);
    for (const field of open) {
      const shape = shapeOf(this.owner, field);
      const type = fieldType(this.owner, field);
      if (
        !shape ||
        open.some((one) => one !== field && fieldType(this.owner, one) === type && type !== 'text')
      )
        continue;
      const [only, ...more] = this.samples.filter(shape.has);
      if (!only || more.length > 0 || !this.free().includes(only)) continue;
      if (!mayBeAbout(this.owner, field, only.name)) continue;
      this.take(field, [only]);
      this.remarks.push(
        `The column ${only.name} is read as ${field} because it is the only one ${shape.text}. Check it.`,
      );
    }
  }
}

function assignedByNames(owner: FieldOwner, samples: readonly ColumnSample[], remarks: string[]): Assignment {
  const assignment = new Assignment(owner, samples, remarks);
  const fields = fieldNames(owner);
  assignment.byName(fields);
  for (const some of [requiredFields(owner), fields]) {
    assignment.byWords(some, false);
    assignment.byWords(some, true);
  }
  assignment.byLikeness(fields);
  return assignment;
}

/** Whether a column has the name of the field with the whole account as an object, but contains texts that are not objects. */
function isNumberOfAccount(field: string, { values }: ColumnSample): boolean {
  return field === ACCOUNTS.rest?.field && values.some((value) => /^[^{]/.test(value.trim()));
}

/**
 * Assign columns to fields: by their names, by the words of other systems, by similar names, and by the values of the
 * first rows.
 */
export function assign(owner: FieldOwner, samples: readonly ColumnSample[], remarks: string[]): Assigned {
  const assignment = assignedByNames(owner, samples, remarks);
  if (isKind(owner)) assignment.byShape(requiredFields(owner));
  const order = fieldNames(owner);
  const inOrder = [...assignment.columnOf].sort(
    ([one], [other]) => order.indexOf(one) - order.indexOf(other),
  );
  return { columnOf: new Map(inOrder), contested: assignment.contested };
}

/** A score for the fields of a kind that the column names of a file provide. Required fields count most. */
export function fieldsFound(owner: FieldOwner, samples: readonly ColumnSample[]): number {
  const { columnOf, contested } = assignedByNames(owner, samples, []);
  const found = [...columnOf.keys(), ...contested.keys()];
  const required = requiredFields(owner).filter((field) => found.includes(field));
  return required.length * 10 + found.length;
}
