import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  hashFile,
  isDraft,
  namesIn,
  pathOf,
  WrongUsage,
  type KindMapping,
  type ReadRow,
  type Sizes,
  writeWhole,
} from '@data-import/files';
import { ContentWriter } from '../rows/content.js';
import { ExternalSort, sortingIn } from '../rows/external-sort.js';
import { readWhole, type ReadingProgress } from '../rows/prepare.js';
import { Intervals } from '../rows/intervals.js';
import { prepareRows } from '../rows/join.js';
import { usedFiles, type UsedFile } from '../rows/left-out.js';
import type { Preparation } from '../rows/preparation.js';
import { readRows } from '../rows/read-rows.js';
import { toRow } from '../rows/to-row.js';
import type { Kind } from '../kinds/kinds.js';
import { sha256 } from './digests.js';
import { ENTRY_BYTES_MAX, writeEntry } from './entry.js';
import { correctionsHash, isCorrected, type InputFile } from './input.js';
import { joinedGroups, joinedReading } from './joined-rows.js';

/** The size of a run. It is small, because a row and its entry need memory at the same time. */
const RUN_BYTES = 16_777_216;

/** The prefix of files with entries and of their parts. */
const ENTRIES = 'entries-';

/** The suffix of the file that describes the use of the mapping. */
const USES = '.uses';

/** The version of the format. It changes with the content of entries and of the files next to them. */
const FORMAT = 4;

export interface EntriesOptions {
  readonly folders: readonly string[];
  /** The folder in which the entries are kept. */
  readonly workFolder: string;
  /** The folder for sorted copies of joined rows; by default the work folder. */
  readonly sortedFolder?: string | undefined;
  /** The mapping of each kind. */
  readonly mapping: { readonly of: (kind: Kind) => KindMapping };
  /** The findings of an earlier reading of the files, if there was one. These files are not hashed again. */
  readonly preparations?: Iterable<Preparation>;
  readonly signal?: AbortSignal;
  readonly sizes?: Partial<Sizes>;
  readonly progress?: ReadingProgress;
}

export interface EntriesFile {
  readonly path: string;
  readonly rows: number;
  /** The SHA-256 of each file. */
  readonly hashes: readonly string[];
  /** The use of the mapping by each file. */
  readonly uses: readonly UsedFile[];
}

/**
 * Write an entry for each row of the files into one file, sorted by account, in constant memory. An existing file for
 * the same input is reused.
 *
 * @throws UnreadableInput, WrongUsage that name the file
 */
export async function ensureEntries(
  files: readonly InputFile[],
  options: EntriesOptions,
): Promise<EntriesFile> {
  const { workFolder, signal, preparations = [] } = options;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  await chmod(workFolder, 0o700);
  const known = (await namesIn(workFolder)).filter((name) => name.startsWith(ENTRIES) && !isDraft(name));
  if (known.length > 0) {
    const prepared = usedFiles(preparations);
    const hashes: string[] = [];
    for (const { folder, name, kind, copies } of files) {
      const hash = prepared.find((one) => one.kind === kind && one.name === name)?.sha256;
      hashes.push(hash ?? (await hashFile(pathOf(folder, name, copies), signal)));
    }
    const begin = await nameOf(files, hashes, options);
    const found = known.find((name) => name.startsWith(`${begin}-`) && !name.endsWith(USES));
    if (found) {
      const path = join(workFolder, found);
      const uses = JSON.parse(await readFile(path + USES, 'utf8')) as UsedFile[];
      return { path, rows: Number(found.slice(begin.length + 1)), hashes, uses };
    }
  }
  return sortingIn(workFolder, ENTRIES, () => new EntriesWriter(files, options).write());
}

class EntriesWriter {
  private readonly sort: ExternalSort;
  private readonly entry = Buffer.alloc(ENTRY_BYTES_MAX);
  private readonly writer = new ContentWriter();
  private readonly hashes: string[];
  /** For each file, the number of replaced lines that were found. */
  private readonly replaced: number[];
  private readonly uses: UsedFile[] = [];
  private rows = 0;

  constructor(
    private readonly files: readonly InputFile[],
    private readonly options: EntriesOptions,
  ) {
    const { workFolder, signal, sizes } = options;
    this.hashes = files.map(() => '');
    this.replaced = files.map(() => 0);
    this.sort = new ExternalSort(join(workFolder, `${ENTRIES}run`), {
      sizes: { run: RUN_BYTES, ...sizes },
      signal,
    });
  }

  async write(): Promise<EntriesFile> {
    const { files, options, hashes, uses } = this;
    await this.addJoined();
    for (const [index, file] of files.entries()) if (hashes[index] === '') await this.addFile(index, file);
    for (const [index, { name, kind, replaced }] of files.entries()) {
      const lost = replaced.size - (this.replaced[index] ?? 0);
      if (lost > 0) {
        throw new WrongUsage(
          `${name} was changed after rows of it were corrected: ${lost} lines that corrected/${kind}.replaces.csv names are no rows of it. Restore the file, or move corrected/ away and correct the file itself.`,
        );
      }
    }
    const path = join(options.workFolder, `${await nameOf(files, hashes, options)}-${this.rows}`);
    // The use of the mapping is written first, so that it exists whenever the entries do.
    await writeWhole(path + USES, (file) => {
      file.add(JSON.stringify(uses));
    });
    await this.sort.finish(path);
    return { path, rows: this.rows, hashes, uses };
  }

  /** Add the rows that are joined from several files. */
  private async addJoined(): Promise<void> {
    const { files, options, hashes, uses } = this;
    const { signal, mapping, workFolder, sortedFolder = workFolder, preparations = [] } = options;
    for (const group of joinedGroups(files, mapping.of)) {
      const { kind, indexOf } = group;
      const reading = joinedReading(group, { mappingOf: mapping.of, sortedFolder, signal });
      const known = [...preparations].find((one) => one.kind === kind);
      const preparation = known ?? (await prepareRows(kind, [...indexOf.keys()], reading));
      for (const file of preparation.files) {
        const index = indexOf.get(file.name) ?? 0;
        hashes[index] = file.sha256;
        uses.push({ ...file, kind, label: files[index]?.label ?? file.name });
      }
      for await (const rows of readRows(preparation, reading, new Intervals())) {
        for (const row of rows) this.add(indexOf.get(row.origin.file) ?? 0, kind, row);
        if (this.sort.isFull) await this.sort.writeRun();
      }
    }
  }

  private async addFile(index: number, file: InputFile): Promise<void> {
    const { folder, name, kind, label, cameFrom, copies } = file;
    const { signal, sizes, mapping, progress } = this.options;
    let rows = 0;
    const summary = await readWhole(
      kind,
      name,
      { folder, cameFrom, copies, mapping: mapping.of(kind), signal, sizes },
      (record, problem, reader) => {
        rows += 1;
        this.add(index, kind, toRow(record, problem, reader));
      },
      async () => {
        progress?.(kind, (index + 0.5) / this.files.length);
        if (this.sort.isFull) await this.sort.writeRun();
      },
    );
    this.hashes[index] = summary.sha256;
    if (!isCorrected(file)) this.uses.push({ ...summary, kind, label, rows });
  }

  private add(index: number, kind: Kind, row: ReadRow): void {
    const { line } = row.origin;
    if (this.files[index]?.replaced.has(line)) {
      this.replaced[index] = (this.replaced[index] ?? 0) + 1;
      return;
    }
    const to = writeEntry(this.entry, kind, row, this.writer);
    this.sort.add(row.account ?? '', index, { bytes: this.entry, from: 0, to, line }, false);
    this.rows += 1;
  }
}

/** The name of the file, without the number of rows. It depends on everything that determines the entries. */
async function nameOf(
  files: readonly InputFile[],
  hashes: readonly string[],
  { folders, mapping }: EntriesOptions,
): Promise<string> {
  const parts = files.map(({ name, kind }, index) => [name, kind, hashes[index], mapping.of(kind).text]);
  const text = JSON.stringify([FORMAT, folders.length, parts, await correctionsHash(folders)]);
  return `${ENTRIES}${sha256(text).slice(0, 32)}`;
}
