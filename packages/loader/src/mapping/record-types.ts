import { KINDS, type Kind } from '../kinds/kinds.js';
import { fieldsFound } from './assign.js';
import { together } from './column-forms.js';
import type { ColumnSample } from './column-shapes.js';
import WORDS from './words.json' with { type: 'json' };

/** The rows of one kind in a file with several kinds. */
export interface RecordsOfKind {
  readonly kind: Kind;
  /** The texts of the record type column that stand for this kind. */
  readonly texts: readonly string[];
  /** The other columns in which at least one of these rows has a value. */
  readonly columns: readonly ColumnSample[];
  readonly empty: readonly string[];
}

export interface RecordTypes {
  readonly column: string;
  readonly kinds: readonly RecordsOfKind[];
  /** Record types of an unknown kind. */
  readonly unknown: readonly string[];
}

/** The maximum number of different words in a column of record types. */
const WORDS_MAX = 12;

/** The score of {@link fieldsFound} for the account and one more required field. */
const FOUND_MIN = 20;

/**
 * Find the column with the record type of each row.
 *
 * @returns undefined for a file whose rows are all of one kind
 */
export function recordTypes(columns: readonly ColumnSample[]): RecordTypes | undefined {
  for (const { name, values, evidence } of columns) {
    if (!evidence.words) continue;
    const words = [...new Set([...values, ...evidence.words].map((value) => value.trim()))];
    if (words.length < 2 || words.length > WORDS_MAX) continue;
    const kinds = KINDS.flatMap((kind) => {
      const texts = words.filter((word) => new RegExp(`^(?:${WORDS.records[kind]})$`, 'i').test(word));
      return texts.length > 0 ? [recordsOf(kind, texts, name, columns)] : [];
    });
    const unknown = words.filter((word) => !kinds.some(({ texts }) => texts.includes(word)));
    // A ledger may call its entries BILL and DD, but has no other fields of statements and payment instructions.
    const filled = kinds.filter((records) => fieldsFound(records.kind, records.columns) >= FOUND_MIN);
    if (filled.length >= 2 && unknown.length < kinds.length) return { column: name, kinds, unknown };
  }
  return undefined;
}

function recordsOf(
  kind: Kind,
  texts: readonly string[],
  column: string,
  columns: readonly ColumnSample[],
): RecordsOfKind {
  const types = columns.find(({ name }) => name === column)?.values ?? [];
  const own = columns
    .filter(({ name }) => name !== column)
    .map((sample) => ({
      ...sample,
      values: sample.values.filter((_, row) => texts.includes(types[row]?.trim() ?? '')),
      evidence: together(texts.flatMap((text) => sample.parts?.get(text) ?? [])),
    }));
  const isEmpty = ({ values, evidence }: ColumnSample): boolean =>
    evidence.isWhole && evidence.forms.length === 0 && values.every((value) => value.trim() === '');
  return {
    kind,
    texts,
    columns: own.filter((sample) => !isEmpty(sample)),
    empty: own.filter(isEmpty).map(({ name }) => name),
  };
}
