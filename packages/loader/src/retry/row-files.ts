import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countLineFeeds,
  csvLine,
  delimiterOf,
  isDraft,
  isWorkbook,
  removeFiles,
  WholeFile,
  type Origin,
} from '@data-import/files';
import { rawBytes } from '../journal/raw-text.js';
import type { RawText } from '../journal/events.js';
import { kindOf } from '../rows/folder.js';
import type { Kind } from '../kinds/kinds.js';

/** What the rows of a file of a folder have in common. */
export interface RowForm {
  readonly kind: Kind;
  /** Of a table; undefined for NDJSON. */
  readonly header: string | undefined;
  /** Which mapping of several they are read with. */
  readonly mapping: string;
  /** Whether they were joined from several files: they are whole rows now, to which no mapping applies. */
  readonly isJoined?: boolean;
}

/** By file name. */
export type RowForms = ReadonlyMap<string, RowForm>;

/** A row to write, and what is said about it. */
export interface WrittenRow {
  readonly kind: Kind;
  readonly origin: Origin;
  readonly raw: RawText;
  /** Lines of CSV about it, given the name of the file and the line in which it is written. */
  readonly notes: (file: string, line: number) => readonly (readonly (string | number)[])[];
}

/**
 * The name of the file for rows of a file: that of their kind, in the form of the input, of a workbook `NAME-xlsx.csv`. Rows of files with
 * another header, or that are read with another mapping, have another file, `NAME-2.csv`.
 */
export function rowFileName(kind: Kind, file: string, forms: RowForms): string {
  const own = forms.get(file);
  const ending = endingOf(file, own);
  const alike = [...forms].filter(([name, form]) => form.kind === kind && endingOf(name, form) === ending);
  const number = [...new Set(alike.map(([, form]) => textOf(form)))].indexOf(own ? textOf(own) : '') + 1;
  return number > 1 ? `${kind}-${number}${ending}` : `${kind}${ending}`;
}

/** Cells of workbooks have marks (rows/cell-marks.ts), so their rows are with no others. */
function endingOf(file: string, form: RowForm | undefined): string {
  if (form?.header === undefined) return '.ndjson';
  if (isWorkbook(file)) return '-xlsx.csv';
  return delimiterOf(file) === '\t' ? '.tsv' : '.csv';
}

function textOf({ header = '', mapping }: RowForm): string {
  return `${mapping}\n${header}`;
}

export interface RowFilesOptions {
  /** Of the CSV file: `NAME.SUFFIX.csv`. */
  readonly suffix: string;
  /** Its header. */
  readonly columns: readonly string[];
  readonly forms: RowForms;
  /** Whether there is only that, since the rows are in another folder. */
  readonly isOnlyAbout?: boolean;
}

/**
 * Write rows in the form in which they came into a folder, and beside those of each kind a CSV file with what is said about
 * them. All files appear when they are complete; files of earlier rows go. They hold customers' data: mode 0600.
 *
 * @returns the SHA-256 of each file with rows, by its name
 */
export async function writeRowFiles(
  folder: string,
  rows: AsyncIterable<WrittenRow>,
  { suffix, columns, forms, isOnlyAbout = false }: RowFilesOptions,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, RowFile>();
  const fileOf = async (name: string, head: string): Promise<RowFile> => {
    const known = files.get(name);
    if (known) return known;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    const file = new RowFile(await WholeFile.create(join(folder, name)));
    files.set(name, file);
    await file.write(Buffer.from(head));
    return file;
  };
  try {
    for await (const { kind, origin, raw, notes } of rows) {
      const name = rowFileName(kind, origin.file, forms);
      const header = forms.get(origin.file)?.header;
      const file = isOnlyAbout ? undefined : await fileOf(name, header === undefined ? '' : `${header}\n`);
      const line = file?.line ?? 0;
      await file?.write(Buffer.concat([rawBytes(raw), Buffer.from('\n')]));
      const about = await fileOf(`${kind}.${suffix}.csv`, csvLine(columns));
      for (const note of notes(name, line)) await about.write(Buffer.from(csvLine(note)));
    }
    for (const { file } of files.values()) await file.complete();
  } finally {
    for (const { file } of files.values()) await file.discard();
  }
  const isOurs = (name: string): boolean => kindOf(name) !== undefined || name.endsWith(`.${suffix}.csv`);
  await removeFiles(folder, (name) => isDraft(name) || (isOurs(name) && !files.has(name)));
  return new Map(
    [...files].filter(([name]) => kindOf(name) !== undefined).map(([name, file]) => [name, file.sha256()]),
  );
}

/** A file with rows, while it is written. */
class RowFile {
  private readonly hash = createHash('sha256');
  /** The line in which what is written next begins. */
  line = 1;

  constructor(readonly file: WholeFile) {}

  async write(bytes: Buffer): Promise<void> {
    this.hash.update(bytes);
    this.line += countLineFeeds(bytes, 0, bytes.length);
    this.file.add(bytes);
    await this.file.drain();
  }

  /** Of what was written. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}
