import { open } from 'node:fs/promises';
import { linesOf } from '../journal/journal.js';
import { canonicalContent } from '../rows/content.js';
import { toRow, visitFile, type Visit } from '../rows/file-records.js';
import type { KindMapping } from '../rows/mapping.js';
import type { ReadRow } from '../rows/row.js';
import type { Kind } from '../kinds/kinds.js';
import type { Draft } from './drafts.js';
import { differingFields } from './fields.js';
import type { InputFile } from './input.js';
import { keyText } from '../rows/keys.js';
import type { Difference } from './result.js';

/** A difference whose row is looked for, and where its draft stands. */
interface Wanted {
  readonly index: number;
  readonly problem: Difference['problem'];
  readonly from: number;
  readonly bytes: number;
}

interface Named {
  key: string;
  fields: readonly string[];
}

export interface NamingOptions {
  readonly mappingOf: (kind: Kind) => KindMapping;
  readonly signal: AbortSignal;
  /** The rows of the kind of a file, by its index, where they are joined. */
  readonly rowsOf?: (index: number) => AsyncIterable<readonly ReadRow[]> | undefined;
}

/**
 * Turn drafts into differences: what a row is called, and the fields in which it differs, is read from its file, of which only
 * the lines with differences are parsed. One draft is in memory at a time, since rows can be large.
 *
 * @param path of the drafts, one JSON object a line
 */
export async function nameDifferences(
  path: string,
  files: readonly InputFile[],
  { mappingOf, signal, rowsOf }: NamingOptions,
): Promise<Difference[]> {
  const heads: Omit<Draft, 'text'>[] = [];
  const wanted = new Map<number, Map<number, Wanted[]>>();
  let from = 0;
  for await (const text of linesOf(path)) {
    const { account, kind, problem, file, line, key } = JSON.parse(text) as Draft;
    const bytes = Buffer.byteLength(text);
    if (file !== undefined && line !== undefined) {
      const ofFile = wanted.get(file) ?? new Map<number, Wanted[]>();
      ofFile.set(line, [...(ofFile.get(line) ?? []), { index: heads.length, problem, from, bytes }]);
      wanted.set(file, ofFile);
    }
    heads.push({ account, kind, problem, file, line, key });
    from += bytes + 1;
  }
  const named = new Map<number, Named>();
  const drafts = await open(path, 'r');
  try {
    const textOf = async ({ from: at, bytes }: Wanted): Promise<string> => {
      const { buffer } = await drafts.read(Buffer.alloc(bytes), 0, bytes, at);
      return (JSON.parse(buffer.toString('utf8')) as Draft).text ?? '{}';
    };
    for (const [index, lines] of wanted) {
      const file = files[index];
      if (!file) continue;
      const rows = rowsOf?.(index);
      await visitItems(file, lines, { mapping: mappingOf(file.kind), signal, rows }, async (line, item) => {
        for (const one of lines.get(line) ?? []) {
          const isDifferent = one.problem === 'different';
          const fields = isDifferent
            ? differingFields(canonicalContent(file.kind, item), await textOf(one))
            : [];
          named.set(one.index, { key: keyText(file.kind, item), fields });
        }
      });
    }
  } finally {
    await drafts.close();
  }
  return heads.map(({ account, kind, problem, file, line, key }, index) => ({
    external_account_number: account,
    kind,
    key: key ?? named.get(index)?.key ?? '',
    file: file === undefined ? null : (files[file]?.label ?? null),
    line: line ?? null,
    problem,
    fields: named.get(index)?.fields ?? [],
  }));
}

/** Visit the items of some lines of a file; not those that cannot be read. @param rows of its kind, where they are joined */
async function visitItems(
  { folder, name, kind, cameFrom }: InputFile,
  lines: ReadonlyMap<number, unknown>,
  {
    mapping,
    signal,
    rows,
  }: { mapping: KindMapping; signal: AbortSignal; rows: AsyncIterable<readonly ReadRow[]> | undefined },
  visitItem: (line: number, item: string) => Promise<void>,
): Promise<void> {
  for await (const some of rows ?? [])
    for (const row of some)
      if (!row.error && row.origin.file === name && lines.has(row.origin.line))
        await visitItem(row.origin.line, row.item);
  if (rows) return;
  let left = lines.size;
  const items: [line: number, item: string][] = [];
  const visit: Visit = (record, problem, reader) => {
    if (!lines.has(record.line)) return;
    left -= 1;
    const row = toRow(record, problem, reader);
    if (!row.error) items.push([record.line, row.item]);
  };
  const blockRead = async (): Promise<boolean> => {
    for (const item of items.splice(0)) await visitItem(...item);
    return left > 0;
  };
  await visitFile({ folder, kind, mapping, cameFrom }, name, visit, { isReused: true, signal, blockRead });
}
