import { visitFile, type KindMapping, type ReadRow, type Visit } from '@data-import/files';
import { canonicalContent } from '../rows/content.js';
import type { Kind } from '../kinds/kinds.js';
import type { Compared } from './compared.js';
import { differingFields } from './fields.js';
import type { InputFile } from './input.js';
import { keyText } from '../kinds/keys.js';
import type { PlacedDifference } from './result.js';
import { toRow } from '../rows/to-row.js';
import { FIELDS } from '../kinds/fields.js';

export interface NamingOptions {
  readonly mappingOf: (kind: Kind) => KindMapping;
  readonly signal: AbortSignal;
  /** Reads the joined rows of a file's kind, given the index of the file; undefined if they are not joined. */
  readonly rowsOf?: (index: number) => AsyncIterable<readonly ReadRow[]> | undefined;
}

/**
 * Turn the drafts of a comparison into differences. The label of a row and the fields in which it differs are read from
 * its file; only the lines with differences are parsed. Rows can be large, so only one draft is in memory at a time.
 */
export async function nameDifferences(
  compared: Compared,
  files: readonly InputFile[],
  { mappingOf, signal, rowsOf }: NamingOptions,
): Promise<PlacedDifference[]> {
  const differences: PlacedDifference[] = [];
  const wanted = new Map<number, Map<number, number[]>>();
  for (const { account, kind, problem, file, line, key = '' } of compared.drafts()) {
    if (file !== undefined && line !== undefined) {
      const lines = wanted.get(file) ?? new Map<number, number[]>();
      lines.set(line, [...(lines.get(line) ?? []), differences.length]);
      wanted.set(file, lines);
    }
    const label = file === undefined ? undefined : files[file]?.label;
    const place = { file: label ?? null, line: line ?? null };
    differences.push({ external_account_number: account, kind, key, ...place, problem, fields: [] });
  }
  for (const [index, lines] of wanted) {
    const file = files[index];
    if (!file) continue;
    const rows = rowsOf?.(index);
    await visitItems(file, lines, { mapping: mappingOf(file.kind), signal, rows }, (line, item) => {
      for (const draft of compared.drafts(lines.get(line))) {
        const { kind } = file;
        const fields =
          draft.text === undefined ? [] : differingFields(canonicalContent(kind, item), draft.text);
        const found = differences[draft.index];
        if (found) differences[draft.index] = { ...found, key: keyText(kind, item), fields };
      }
    });
  }
  return differences;
}

/**
 * Visit the items on some lines of a file. Items that cannot be read are skipped.
 *
 * @param rows the rows of its kind, if they are joined
 */
async function visitItems(
  { folder, name, kind, cameFrom, copies }: InputFile,
  lines: ReadonlyMap<number, unknown>,
  {
    mapping,
    signal,
    rows,
  }: { mapping: KindMapping; signal: AbortSignal; rows: AsyncIterable<readonly ReadRow[]> | undefined },
  visitItem: (line: number, item: string) => void,
): Promise<void> {
  for await (const some of rows ?? [])
    for (const row of some)
      if (!row.error && row.origin.file === name && lines.has(row.origin.line))
        visitItem(row.origin.line, row.item);
  if (rows) return;
  let left = lines.size;
  const visit: Visit = (record, problem, reader) => {
    if (!lines.has(record.line)) return;
    left -= 1;
    const row = toRow(record, problem, reader);
    if (!row.error) visitItem(record.line, row.item);
  };
  const blockRead = (): Promise<boolean> => Promise.resolve(left > 0);
  const options = { folder, fields: FIELDS[kind], mapping, cameFrom, copies };
  await visitFile(options, name, visit, { isReused: true, signal, blockRead });
}
