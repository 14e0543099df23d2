import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { SheetRow } from './sheet-rows.js';
import { Workbook, type Sheet } from './workbook.js';
import { Archive } from './zip.js';
import { csvLine } from '../common/csv.js';
import { ChangedInput, UnreadableInput, WrongUsage } from '../common/errors.js';
import { draftOf, namesIn, removeFiles, writeWhole, type WholeFile } from '../common/files.js';
import { hashFile, unreadable } from '../text/byte-source.js';
import { isPacked, isWorkbook, memberOf } from '../text/file-names.js';
import { fileOf } from '../text/parts.js';
import { stepsOf, type Form } from '../mapping/form.js';
import { columnsOf } from '../mapping/field-sources.js';
import type { FileMapping, KindMapping } from '../mapping/mapping.js';
import { convertDocument, type DocumentForm } from './json-document.js';

/** Version of the copies' format; it changes with their content. */
const FORMAT = 2;

/** Suffix of the file with the notes about a sheet's copy. */
const NOTES = '.json';

/** The state of a folder's zip archive or workbook when it was copied. */
export interface Source {
  readonly path: string;
  readonly bytes: number;
  readonly modified: number;
  readonly sha256: string;
}

/** The copy of a file that is inside another file. */
export interface Copy {
  readonly path: string;
  readonly source: Source;
  /** Sentences to print about it. */
  readonly notes: readonly string[];
}

/** Copies by the path of the original: a folder and a name in it. */
export type Copies = ReadonlyMap<string, Copy>;

/** A file of a folder. */
export interface NamedFile<Kind extends string = string> {
  readonly folder: string;
  readonly name: string;
  readonly kind: Kind;
  /** Set for corrected rows, which no other file contains. */
  readonly cameFrom?: string | undefined;
}

export interface CopyOptions<Kind extends string = string> {
  /** Folder for the copies; created when it does not exist. */
  readonly workFolder: string;
  readonly mappingOf: (kind: Kind) => KindMapping;
  readonly signal?: AbortSignal | undefined;
  /** Called before each copy, because reading begins with copying. */
  readonly progress?: (kind: Kind, share: number) => void;
}

/** A file to copy, the mapping with which it is read, and the name of its copy. */
interface ToCopy extends NamedFile {
  readonly mapping: FileMapping;
  readonly source: Source;
  readonly id: string;
}

/** The path from which a folder's file is read. */
export function pathOf(folder: string, name: string, copies: Copies | undefined): string {
  const path = join(folder, name);
  return copies?.get(path)?.path ?? path;
}

/**
 * Copy files that are inside other files. Members of zip archives are copied unchanged, and sheets of workbooks as CSV.
 * An existing copy is reused; copies of files that are not named here are removed.
 *
 * @returns the copies; files that are directly in their folder have none
 * @throws UnreadableInput that names the file; WrongUsage for a workbook if it is unclear which sheet to read; CannotWrite
 * Source: choices L1, L2.
 */
export async function ensureCopies<Kind extends string>(
  files: readonly NamedFile<Kind>[],
  options: CopyOptions<Kind>,
): Promise<Copies> {
  const { workFolder, signal } = options;
  const wanted: (NamedFile<Kind> & ToCopy)[] = [];
  const sources = new Map<string, Source>();
  for (const file of files) {
    if (file.cameFrom !== undefined) continue;
    const mapping = options.mappingOf(file.kind).of(file.name);
    const { form } = mapping;
    const path = sourceOf(file, form.records !== undefined);
    if (path === undefined) continue;
    const source = sources.get(path) ?? (await stateOf(path, signal));
    sources.set(path, source);
    const member = memberOf(file.name)?.member;
    const ofSheet = [form.sheet, mapping.parts, form.skipLines, form.header?.length, hasSerials(mapping)];
    const said = [FORMAT, source.sha256, member, ...ofSheet, documentForm(mapping)];
    const id = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 32);
    const isStillPacked = isPacked(file.name) && form.records === undefined;
    wanted.push({ ...file, mapping, source, id: id + (isStillPacked ? '.gz' : '') });
  }
  const ids = new Set(wanted.flatMap(({ id }) => [id, id + NOTES]));
  await removeFiles(workFolder, (name) => !ids.has(name));
  const copies = new Map<string, Copy>();
  if (wanted.length === 0) return copies;
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  await chmod(workFolder, 0o700);
  const known = await namesIn(workFolder);
  for (const file of wanted) {
    const { folder, name, source, id } = file;
    const path = join(workFolder, id);
    if (!known.includes(id)) {
      options.progress?.(file.kind, 0);
      await copyFile(file, path, options);
    }
    const notes = isWorkbook(name) ? (JSON.parse(await readFile(path + NOTES, 'utf8')) as string[]) : [];
    copies.set(join(folder, name), { path, source, notes });
  }
  for (const [path, { bytes, modified }] of sources) {
    const now = await stat(path).catch(() => undefined);
    if (now?.size !== bytes || now.mtimeMs !== modified)
      throw new ChangedInput(`${basename(path)} was changed while it was being copied. Start again.`);
  }
  return copies;
}

/** The sentences to print about copies. */
export function copiesText(copies: Copies): string[] {
  return [...new Set([...copies.values()].flatMap(({ notes }) => notes))];
}

export async function removeCopies(workFolder: string): Promise<void> {
  await removeFiles(workFolder, () => true);
}

/** The names of the files in a zip archive. @throws UnreadableInput */
export async function membersOf(archivePath: string): Promise<string[]> {
  const archive = await Archive.open(archivePath);
  archive.close();
  return archive.members.map(({ name }) => name);
}

/** Whether a file is inside another one, or is converted, so that it is read from a copy. */
export function isCopied(file: Pick<NamedFile, 'folder' | 'name'>, mapping: KindMapping): boolean {
  return sourceOf(file, mapping.of(file.name).form.records !== undefined) !== undefined;
}

/** The file in the folder that contains the file to read, or that is converted; undefined for a file that is read directly. */
function sourceOf(
  { folder, name }: Pick<NamedFile, 'folder' | 'name'>,
  isDocument: boolean,
): string | undefined {
  const archive = memberOf(name)?.archive;
  if (archive !== undefined) return join(folder, archive);
  return isWorkbook(name) || isDocument ? join(folder, fileOf(name)) : undefined;
}

/** The form in which a JSON document is converted; undefined for any other file. */
function documentForm({ form, sources, ignore, parts = [] }: FileMapping): DocumentForm | undefined {
  const { records, encoding } = form;
  if (records === undefined) return undefined;
  const below = parts.filter((path) => path.startsWith(`${records}.`));
  return {
    path: stepsOf(records),
    columns: [...sources.values()].flatMap(columnsOf),
    dropped: [...ignore, ...below.map((path) => path.slice(records.length + 1).replace(/\[\].*/, ''))],
    encoding,
  };
}

async function stateOf(path: string, signal: AbortSignal | undefined): Promise<Source> {
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  return { path, bytes: found.size, modified: found.mtimeMs, sha256: await hashFile(path, signal) };
}

async function copyFile(
  file: NamedFile & ToCopy,
  path: string,
  options: Pick<CopyOptions, 'workFolder' | 'signal'>,
): Promise<void> {
  const { name, source, mapping } = file;
  const member = memberOf(name)?.member;
  const document = documentForm(mapping);
  const convert = (from: string): Promise<void> =>
    document
      ? convertDocument(from, path, fileOf(name), document, options.signal)
      : copySheet(from, path, file, options);
  if (member === undefined) {
    await convert(source.path);
    return;
  }
  if (!isWorkbook(name) && !document) {
    await copyMember(source.path, member, path, options);
    return;
  }
  // Converting reads a file, in a workbook at any place.
  const whole = `${path}.whole${isPacked(member) ? '.gz' : ''}`;
  await copyMember(source.path, member, whole, options);
  await convert(whole);
  await removeFiles(options.workFolder, (one) => one === basename(whole));
}

/** @param archivePath the path of the archive */
export async function copyMember(
  archivePath: string,
  name: string,
  path: string,
  { signal }: Pick<CopyOptions, 'signal'>,
): Promise<void> {
  const archive = await Archive.open(archivePath);
  try {
    const member = archive.members.find((one) => one.name === name);
    if (!member) throw new UnreadableInput(`${basename(archivePath)} has no member ${name} any more.`);
    await writeWhole(path, async (file) => {
      for await (const chunk of archive.read(member)) {
        signal?.throwIfAborted();
        file.add(chunk);
        await file.drain();
      }
    });
  } finally {
    archive.close();
  }
}

async function copySheet(
  workbookPath: string,
  path: string,
  { name: part, mapping }: NamedFile & ToCopy,
  { signal }: Pick<CopyOptions, 'signal'>,
): Promise<void> {
  const name = fileOf(part);
  const { sheet: wanted } = mapping.form;
  const workbook = await Workbook.open(workbookPath, name, draftOf(`${path}.strings`));
  try {
    if (workbook.isFrom1904 && hasSerials(mapping)) {
      throw new WrongUsage(
        `${name} counts its days from 1904 on, and the mapping file reads days as excel, which counts them from 1900 on. Format the cells as days.`,
      );
    }
    const { sheet, filled } = await chosenSheet(workbook, name, wanted);
    await writeWhole(path, async (file) => {
      const write = sheetWriter(file, mapping.form);
      for await (const rows of workbook.rows(sheet)) {
        signal?.throwIfAborted();
        for (const row of rows) write(row);
        await file.drain();
      }
      // The notes are written before the copy, so that every copy has its notes.
      const read = wanted === undefined ? [sheet.name] : (mapping.parts ?? [wanted]);
      const left = filled.filter((one) => !read.includes(one.name));
      const are = `${read.length > 1 ? 'sheets' : 'sheet'} ${read.map((one) => JSON.stringify(one)).join(', ')} ${read.length > 1 ? 'are' : 'is'}`;
      const said = left.length > 0 ? [`${name}: the ${are} read, and not ${sheetsText(left)}.`] : [];
      await writeWhole(path + NOTES, (about) => {
        about.add(JSON.stringify(said));
      });
    });
  } finally {
    workbook.close();
  }
}

/** Whether a mapping reads days as Excel serial numbers, counted from 1900. */
function hasSerials({ sources }: FileMapping): boolean {
  return [...sources.values()].some((source) => 'column' in source && source.form.dates?.hasSerials === true);
}

/**
 * Choose the sheet to read: the sheet that a mapping names, or the only visible sheet that is not empty.
 *
 * @returns the sheet, and all sheets that are not empty
 * @throws WrongUsage that names the sheets
 */
export async function chosenSheet(
  workbook: Workbook,
  name: string,
  wanted: string | undefined,
): Promise<{ readonly sheet: Sheet; readonly filled: readonly Sheet[] }> {
  const filled: Sheet[] = [];
  for (const sheet of workbook.sheets) if (!(await workbook.isEmpty(sheet))) filled.push(sheet);
  const visible = filled.filter(({ isHidden }) => !isHidden);
  const sheet = wanted === undefined ? visible[0] : workbook.sheets.find((one) => one.name === wanted);
  if (!sheet || (wanted === undefined && visible.length > 1)) {
    const is =
      wanted === undefined ? 'has not one visible sheet with rows' : `has no sheet ${JSON.stringify(wanted)}`;
    const all = filled.length > 0 ? sheetsText(filled) : 'none with rows';
    const example = (visible[0] ?? filled[0])?.name ?? 'Sheet1';
    throw new WrongUsage(
      `${name} ${is}; it has ${all}. Name the sheet to read in the mapping file: {"match": ${JSON.stringify(basename(name))}, …, "form": {"sheet": ${JSON.stringify(example)}}}`,
    );
  }
  return { sheet, filled };
}

function sheetsText(sheets: readonly Sheet[]): string {
  return sheets
    .map(({ name, isHidden }) => `${JSON.stringify(name)}${isHidden ? ' (hidden)' : ''}`)
    .join(', ');
}

/** @returns a function that writes a row of a sheet as CSV, with as many cells as the header */
function sheetWriter(file: WholeFile, { skipLines = 0, header: given }: Form): (row: SheetRow) => void {
  let header = given;
  let last = 0;
  return ({ number, cells }) => {
    file.add('\n'.repeat(number - last - 1));
    last = number;
    if (number > skipLines) header ??= cells;
    const missing = Math.max(0, (header?.length ?? 0) - cells.length);
    file.add(csvLine(missing === 0 ? cells : [...cells, ...new Array<string>(missing).fill('')]));
  };
}
