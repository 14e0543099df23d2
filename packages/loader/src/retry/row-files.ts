import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { rawBytes } from '../journal/raw-text.js';
import type { RawText } from '../journal/events.js';
import { countLineFeeds } from '../rows/blocks.js';
import { isCsv, kindOf } from '../rows/folder.js';
import type { Kind } from '../kinds/kinds.js';
import type { Origin } from '../rows/row.js';
import { csvLine } from './csv.js';

/** The headers of the CSV files of a folder, by file name. */
export type Headers = ReadonlyMap<string, string>;

/** A row to write, and what is said about it. */
export interface WrittenRow {
  readonly kind: Kind;
  readonly origin: Origin;
  readonly raw: RawText;
  /** Lines of CSV about it, given the name of the file and the line in which it is written. */
  readonly notes: (file: string, line: number) => readonly (readonly (string | number)[])[];
}

/**
 * The name of the file for rows of a file: that of their kind, in the form of the input. Rows of CSV files with another
 * header have another file, `NAME-2.csv`.
 */
export function rowFileName(kind: Kind, file: string, headers: Headers): string {
  if (!isCsv(file)) return `${kind}.ndjson`;
  const ofKind = [...headers].filter(([name]) => kindOf(name) === kind).map(([, header]) => header);
  const number = [...new Set(ofKind)].indexOf(headers.get(file) ?? '') + 1;
  return number > 1 ? `${kind}-${number}.csv` : `${kind}.csv`;
}

/**
 * Write rows in the form in which they came into a folder, and beside those of each kind a CSV file with what is said about
 * them. All files appear when they are complete; files of earlier rows go. They hold customers' data: mode 0600.
 *
 * @param suffix of the CSV file: `NAME.SUFFIX.csv`
 * @param columns its header
 * @returns the SHA-256 of each file with rows, by its name
 */
export async function writeRowFiles(
  folder: string,
  rows: AsyncIterable<WrittenRow>,
  { suffix, columns, headers }: { suffix: string; columns: readonly string[]; headers: Headers },
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, RowFile>();
  const fileOf = async (name: string, head: string): Promise<RowFile> => {
    const known = files.get(name);
    if (known) return known;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const file = new RowFile(join(folder, name));
    files.set(name, file);
    await file.write(Buffer.from(head));
    return file;
  };
  try {
    for await (const { kind, origin, raw, notes } of rows) {
      const name = rowFileName(kind, origin.file, headers);
      const header = isCsv(origin.file) ? `${headers.get(origin.file) ?? ''}\n` : '';
      const file = await fileOf(name, header);
      const { line } = file;
      await file.write(Buffer.concat([rawBytes(raw), Buffer.from('\n')]));
      const about = await fileOf(`${kind}.${suffix}.csv`, csvLine(columns));
      for (const note of notes(name, line)) await about.write(Buffer.from(csvLine(note)));
    }
    for (const file of files.values()) await file.complete();
  } finally {
    for (const file of files.values()) await file.discard();
  }
  for (const name of await namesIn(folder)) {
    const isOurs = kindOf(name) !== undefined || name.endsWith(`.${suffix}.csv`);
    if (isOurs && !files.has(name)) await rm(join(folder, name));
  }
  return new Map(
    [...files].filter(([name]) => kindOf(name) !== undefined).map(([name, file]) => [name, file.sha256]),
  );
}

/** Names of a folder's files; none where it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** A file that has its name only when it is complete. */
class RowFile {
  private readonly temporary: string;
  private readonly stream: WriteStream;
  private readonly hash = createHash('sha256');
  private isComplete = false;
  /** Of the completed file. */
  sha256 = '';
  /** The line in which what is written next begins. */
  line = 1;

  constructor(private readonly path: string) {
    this.temporary = `${path}.${randomUUID()}.tmp`;
    this.stream = createWriteStream(this.temporary, { mode: 0o600 });
    // Whoever writes or completes it is told.
    this.stream.on('error', () => undefined);
  }

  async write(bytes: Buffer): Promise<void> {
    if (this.stream.errored) throw this.stream.errored;
    this.hash.update(bytes);
    this.line += countLineFeeds(bytes, 0, bytes.length);
    if (!this.stream.write(bytes)) await once(this.stream, 'drain');
  }

  async complete(): Promise<void> {
    this.stream.end();
    await finished(this.stream);
    await rename(this.temporary, this.path);
    this.isComplete = true;
    this.sha256 = this.hash.digest('hex');
  }

  async discard(): Promise<void> {
    if (this.isComplete) return;
    this.stream.destroy();
    await rm(this.temporary, { force: true });
  }
}
