import { KINDS, type Kind } from '../kinds/kinds.js';
import { together } from './column-forms.js';
import type { ColumnSample } from './column-shapes.js';

/** What other systems write into the column that says what a row of a file of several kinds is. */
const RECORD_WORDS: Readonly<Record<Kind, RegExp>> = {
  notes: /^(?:n|notes?|memo|comment|cmt|notiz)$/i,
  statements: /^(?:s|st|stm|stmt|statement|b|bill|inv|invoice|rechnung|re)$/i,
  'payment-instructions': /^(?:p|pi|instr|instruction|mandate?|mnd|dd|ddm|sepa)$/i,
  transactions: /^(?:t|tr|trn|txn|trans|transaction|ledger|buchung|bu)$/i,
};

/** Rows of one kind in a file of several. */
export interface RecordsOfKind {
  readonly kind: Kind;
  /** The texts that say so. */
  readonly texts: readonly string[];
  /** Columns in which one of these rows has something, but for the one that says what they are. */
  readonly columns: readonly ColumnSample[];
  readonly empty: readonly string[];
}

export interface RecordTypes {
  readonly column: string;
  readonly kinds: readonly RecordsOfKind[];
  /** Texts that say no kind that is known. */
  readonly unknown: readonly string[];
}

/** Words that a column of record types has at most. */
const WORDS_MAX = 12;

/**
 * Find the column that says which kind each row is of.
 *
 * @returns undefined for a file whose rows are all of one kind
 */
export function recordTypes(columns: readonly ColumnSample[]): RecordTypes | undefined {
  for (const { name, values, evidence } of columns) {
    if (!evidence.words) continue;
    const words = [...new Set([...values, ...evidence.words].map((value) => value.trim()))];
    if (words.length < 2 || words.length > WORDS_MAX) continue;
    const kinds = KINDS.flatMap((kind) => {
      const texts = words.filter((word) => RECORD_WORDS[kind].test(word));
      return texts.length > 0 ? [recordsOf(kind, texts, name, columns)] : [];
    });
    const unknown = words.filter((word) => !kinds.some(({ texts }) => texts.includes(word)));
    if (kinds.length >= 2 && unknown.length < kinds.length) return { column: name, kinds, unknown };
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
      evidence: together(texts.flatMap((text) => sample.parts.get(text) ?? [])),
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
