import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countLineFeeds,
  csvLine,
  delimiterOf,
  isDraft,
  isWorkbook,
  partOf,
  removeFiles,
  WholeFile,
  type Origin,
} from '@data-import/files';
import { rawBytes } from '../journal/raw-text.js';
import type { RawText } from '../journal/events.js';
import { KINDS, type Kind } from '../kinds/kinds.js';

/** The form that all rows of a file in a folder share. */
export interface RowForm {
  readonly kind: Kind;
  /** The header of a table; undefined for NDJSON. */
  readonly header: string | undefined;
  /** The name of the mapping with which they are read, if there are several. */
  readonly mapping: string;
  /** Whether the rows are lines of fixed width, which have no header. */
  readonly isFixed?: boolean;
  /** Whether the rows were joined from several files. They are complete rows now, and no mapping applies to them. */
  readonly isJoined?: boolean;
}

/** The form of each file, by name. */
export type RowForms = ReadonlyMap<string, RowForm>;

/** A row to write, and the notes about it. */
export interface WrittenRow {
  readonly kind: Kind;
  readonly origin: Origin;
  readonly raw: RawText;
  /** Creates the lines of CSV about the row, given the name and line at which it is written. */
  readonly notes: (file: string, line: number) => readonly (readonly (string | number)[])[];
}

/**
 * The name of the file for rows of an input file. It consists of the kind and the form of the input; for a workbook it
 * is `NAME-xlsx.csv`, for one of several sheets `NAME-xlsx-SHEET.csv`. Rows with another header or another mapping get a
 * separate file, `NAME-2.csv`.
 */
export function rowFileName(kind: Kind, file: string, forms: RowForms): string {
  const own = forms.get(file);
  const ending = endingOf(file, own);
  // Some systems treat names that differ only in case as the same name.
  const isSame = (name: string, form: RowForm): boolean =>
    form.kind === kind && endingOf(name, form).toLowerCase() === ending.toLowerCase();
  const alike = [...forms].filter(([name, form]) => isSame(name, form));
  const number = [...new Set(alike.map(([, form]) => textOf(form)))].indexOf(own ? textOf(own) : '') + 1;
  return number > 1 ? `${kind}-${number}${ending}` : `${kind}${ending}`;
}

/** Cells of workbooks have marks (rows/cell-marks.ts), so their rows get separate files. */
function endingOf(file: string, form: RowForm | undefined): string {
  if (form?.header === undefined) return '.ndjson';
  if (form.isFixed) return '.txt';
  const { part } = partOf(file);
  if (part?.is === 'sheet') return `-xlsx-${safeName(part.text)}.csv`;
  if (isWorkbook(file)) return '-xlsx.csv';
  return delimiterOf(file) === '\t' ? '.tsv' : '.csv';
}

const ROW_FILE = new RegExp(
  String.raw`^(${KINDS.join('|')})(?:-\d+)?(?:-xlsx(?:-.+)?\.csv|\.(?:ndjson|txt|csv|tsv))$`,
);

/** @returns undefined for a name of another form than {@link rowFileName} gives, such as that of an editor's backup */
export function kindOfRowFile(name: string): Kind | undefined {
  return ROW_FILE.exec(name)?.[1] as Kind | undefined;
}

const NAME_MAX = 60;

/** A text that is safe as part of a file name on any system. */
function safeName(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N} _.-]/gu, '_').slice(0, NAME_MAX);
}

function textOf({ header = '', mapping }: RowForm): string {
  return `${mapping}\n${header}`;
}

export interface RowFilesOptions {
  /** The suffix in the name of the CSV file, `NAME.SUFFIX.csv`. */
  readonly suffix: string;
  /** The header of the CSV file. */
  readonly columns: readonly string[];
  readonly forms: RowForms;
  /** Whether only the CSV file is written, because the rows are in another folder. */
  readonly isOnlyAbout?: boolean;
}

/**
 * Write rows in the form in which they came, and for each kind a CSV file with notes about them. A file appears only
 * when it is complete, and the files of earlier rows are removed. The files contain customers' data, so their mode is
 * 0600.
 *
 * @returns the SHA-256 of each file, by name
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
      const file = isOnlyAbout ? undefined : await fileOf(name, header ? `${header}\n` : '');
      const line = file?.line ?? 0;
      await file?.write(Buffer.concat([rawBytes(raw), Buffer.from('\n')]));
      const about = await fileOf(`${kind}.${suffix}.csv`, csvLine(columns));
      for (const note of notes(name, line)) await about.write(Buffer.from(csvLine(note)));
    }
    for (const { file } of files.values()) await file.complete();
  } finally {
    for (const { file } of files.values()) await file.discard();
  }
  const isOurs = (name: string): boolean =>
    kindOfRowFile(name) !== undefined || KINDS.some((kind) => name === `${kind}.${suffix}.csv`);
  await removeFiles(folder, (name) => isDraft(name) || (isOurs(name) && !files.has(name)));
  return new Map([...files].map(([name, file]) => [name, file.sha256()]));
}

/** A file with rows that is being written. */
class RowFile {
  private readonly hash = createHash('sha256');
  /** The line at which the next row begins. */
  line = 1;

  constructor(readonly file: WholeFile) {}

  async write(bytes: Buffer): Promise<void> {
    this.hash.update(bytes);
    this.line += countLineFeeds(bytes, 0, bytes.length);
    this.file.add(bytes);
    await this.file.drain();
  }

  /** The hash of the written bytes. */
  sha256(): string {
    return this.hash.digest('hex');
  }
}
