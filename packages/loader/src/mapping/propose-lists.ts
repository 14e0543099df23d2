import { isKind, listsOf, type FieldOwner } from '../kinds/fields.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import { assign, fieldsFound } from './assign.js';
import type { ColumnSample } from './column-shapes.js';
import { normalised } from './column-words.js';
import type { ProposedEntry } from './propose.js';
import WORDS from './words.json' with { type: 'json' };

/** Files with rows that are alike, and their entry. */
export interface RowsFiles {
  readonly entry: ProposedEntry;
  columns: readonly ColumnSample[];
}

/** The rows and the list whose items a file contains. */
export interface FoundList {
  readonly rows: RowsFiles;
  readonly list: string;
  readonly owner: FieldOwner;
  /** The columns of both files that contain the same texts. */
  readonly key: { readonly ofItem: string; readonly ofRow: string };
}

/** The share of a file's first values that must also occur among the first values of the other file. */
const COMMON_SHARE = 0.5;

/** Equal values that are shorter are coincidences. */
const KEY_LENGTH = 3;

/** The weight of a file name that fits a list, compared with the number of columns that contradict it. */
const NAME_WEIGHT = 15;

/**
 * Find the rows to which the items of a file belong. Both must have a column with the same values, which do not repeat
 * among the rows.
 */
export function findList(
  name: string,
  columns: readonly ColumnSample[],
  candidates: readonly RowsFiles[],
): FoundList | undefined {
  const found = candidates.flatMap((rows) => {
    const { kind } = rows.entry;
    const lists = isKind(kind) ? listsOf(kind) : [];
    const key = isKind(kind) && lists.length > 0 ? keyOf(kind, columns, rows.columns) : undefined;
    if (!key) return [];
    const others = columns.filter((column) => column.name !== key.ofItem);
    return lists.map((list) => {
      const owner = `${kind}.${list}` as FieldOwner;
      const words = (WORDS.lists as Readonly<Record<string, string>>)[list];
      const named = words !== undefined && new RegExp(words, 'i').test(name) ? NAME_WEIGHT : 0;
      return { rows, list, owner, key, score: fieldsFound(owner, others) + named };
    });
  });
  const [best] = found.sort((one, other) => other.score - one.score);
  return best && best.score > NAME_WEIGHT / 2 ? best : undefined;
}

function keyOf(
  kind: Kind,
  columns: readonly ColumnSample[],
  ofRows: readonly ColumnSample[],
): FoundList['key'] | undefined {
  const fields = new Map([...assign(kind, ofRows, []).columnOf].map(([field, column]) => [column, field]));
  const isOfKey = ({ name }: ColumnSample): boolean => FACTS[kind].key.includes(fields.get(name) ?? '');
  const candidates = ofRows
    .filter((column) => isOfKey(column) || !fields.has(column.name))
    .filter(({ values }) => new Set(values).size === values.length)
    .sort((one, other) => Number(isOfKey(other)) - Number(isOfKey(one)));
  for (const hasSame of [haveSameName, haveSameValues]) {
    for (const row of candidates) {
      const item = columns.find((column) => hasSame(column, row));
      if (item) return { ofItem: item.name, ofRow: row.name };
    }
  }
  return undefined;
}

function haveSameName(one: ColumnSample, other: ColumnSample): boolean {
  return normalised(one.name) === normalised(other.name);
}

function haveSameValues(item: ColumnSample, row: ColumnSample): boolean {
  const known = new Set(row.values.map((value) => value.trim()));
  const values = [...new Set(item.values.map((value) => value.trim()))];
  const common = values.filter((value) => value.length >= KEY_LENGTH && known.has(value));
  return common.length > 0 && common.length >= values.length * COMMON_SHARE;
}
