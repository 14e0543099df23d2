import { SIZES, type KindMapping, type Sizes } from '@data-import/files';
import { ContentWriter } from '../rows/content.js';
import { ExternalSort } from '../rows/external-sort.js';
import { readWhole } from '../rows/prepare.js';
import type { Kind } from '../kinds/kinds.js';
import { ENTRY_BYTES_MAX, writeEntry } from './entry.js';
import { isCorrected, type InputFile } from './input.js';
import { joinedGroups, joinedRows, type JoinedOptions } from './joined-rows.js';
import { toRow } from '../rows/to-row.js';
import type { UsedFile } from '../rows/left-out.js';

/** The task of one of several threads that write entries. It can be sent to a thread. */
export interface ShareTask {
  readonly files: readonly InputFile[];
  /** For each kind, the text of its part of the mapping file. */
  readonly mappings: ReadonlyMap<Kind, string>;
  /** The prefix of the paths of its runs. */
  readonly path: string;
  readonly sizes: Partial<Sizes> | undefined;
  /** The thread writes the records that begin in every `of`-th block of a file, starting with block number `share`. */
  readonly share: number;
  readonly of: number;
}

/** The result of a task. */
export interface Share {
  /** Paths of the sorted runs. */
  readonly runs: readonly string[];
  readonly rows: number;
  /** The SHA-256 of each file, hexadecimal; empty for a file of which the share has no records. */
  readonly hashes: readonly string[];
  /** For each file, the number of replaced lines that were found. */
  readonly replaced: readonly number[];
  /** The use of the mapping by each file that is not joined. */
  readonly uses: readonly UsedFile[];
}

export interface SharingOptions {
  readonly mappingOf: (kind: Kind) => KindMapping;
  readonly signal?: AbortSignal;
  readonly progress?: (kind: Kind, share: number) => void;
}

/**
 * Write the entries of one share of the records to sorted runs. The start of a record is known only after everything
 * before it has been read, so each thread reads all files. This takes a small part of the time.
 *
 * @throws UnreadableInput, WrongUsage that name the file
 */
export async function writeShare(task: ShareTask, options: SharingOptions): Promise<Share> {
  const { files, share, of } = task;
  const { signal, progress, mappingOf } = options;
  const sizes = task.sizes && { sizes: task.sizes };
  const sort = new ExternalSort(task.path, { ...sizes, ...(signal && { signal }) });
  const entry = Buffer.alloc(ENTRY_BYTES_MAX);
  const writer = new ContentWriter();
  const blockBytes = task.sizes?.block ?? SIZES.block;
  const hashes: string[] = [];
  const replacedLines: number[] = [];
  const uses: UsedFile[] = [];
  let rows = 0;
  const joined = new Set(joinedGroups(files, mappingOf).flatMap(({ indexOf }) => [...indexOf.values()]));
  for (const [index, file] of files.entries()) {
    const { folder, name, kind, label, replaced, cameFrom, copies } = file;
    let [found, count] = [0, 0];
    if (joined.has(index)) {
      hashes.push('');
      replacedLines.push(0);
      continue;
    }
    const reading = {
      folder,
      cameFrom,
      copies,
      mapping: mappingOf(kind),
      ...(signal && { signal }),
      ...sizes,
    };
    const { sha256, leftOut, rules, others } = await readWhole(
      kind,
      name,
      reading,
      (record, problem, reader) => {
        count += 1;
        if (Math.floor(record.start / blockBytes) % of !== share) return;
        if (replaced.has(record.line)) {
          found += 1;
          return;
        }
        const row = toRow(record, problem, reader);
        const to = writeEntry(entry, kind, row, writer);
        sort.add(row.account ?? '', index, { bytes: entry, from: 0, to, line: record.line }, false);
        rows += 1;
      },
      async () => {
        progress?.(kind, (index + 0.5) / files.length);
        if (sort.isFull) await sort.writeRun();
      },
    );
    hashes.push(sha256);
    replacedLines.push(found);
    if (!isCorrected(file)) uses.push({ kind, name, label, rows: count, leftOut, rules, others });
  }
  return { runs: await sort.writeRuns(), rows, hashes, replaced: replacedLines, uses };
}

/** Write the entries of all joined rows, as a separate share. */
export async function writeJoinedShare(
  { files, path, sizes }: Pick<ShareTask, 'files' | 'path' | 'sizes'>,
  options: JoinedOptions,
): Promise<Share> {
  const { signal, mappingOf } = options;
  const sort = new ExternalSort(path, { ...(sizes && { sizes }), ...(signal && { signal }) });
  const entry = Buffer.alloc(ENTRY_BYTES_MAX);
  const writer = new ContentWriter();
  const [hashes, replaced] = [files.map(() => ''), files.map(() => 0)];
  let rows = 0;
  for (const group of joinedGroups(files, mappingOf)) {
    const hashed = (index: number, sha256: string): void => {
      hashes[index] = sha256;
    };
    for await (const some of joinedRows(group, options, hashed)) {
      for (const row of some) {
        const { file, line } = row.origin;
        const index = group.indexOf.get(file) ?? 0;
        if (files[index]?.replaced.has(line)) {
          replaced[index] = (replaced[index] ?? 0) + 1;
          continue;
        }
        const to = writeEntry(entry, group.kind, row, writer);
        sort.add(row.account ?? '', index, { bytes: entry, from: 0, to, line }, false);
        rows += 1;
      }
      if (sort.isFull) await sort.writeRun();
    }
  }
  return { runs: await sort.writeRuns(), rows, hashes, replaced, uses: [] };
}
