import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  CsvFinder,
  ensureCopies,
  hashFile,
  namesIn,
  WrongUsage,
  type Copies,
  type CopyOptions,
} from '@data-import/files';
import { kindOfRowFile } from '../retry/row-files.js';
import { findFiles, type FolderOptions } from '../rows/folder.js';
import { KINDS, type Kind } from '../kinds/kinds.js';

/** The subfolder in which `retry` keeps corrected rows. */
const CORRECTED = 'corrected';

/** The maximum number of files, see sorted-file.ts. */
const FILES_MAX = 65_535;

/** A file that is compared. */
export interface InputFile {
  readonly folder: string;
  /** The path below the folder. */
  readonly name: string;
  readonly kind: Kind;
  /** The name that is shown. */
  readonly label: string;
  /** For a file with corrected rows, the file whose rows they replace. They are read with its mapping. */
  readonly cameFrom?: string | undefined;
  /** The copies of files that are inside other files. */
  readonly copies?: Copies | undefined;
  /** The lines that are not compared, because a corrected row replaces them. */
  readonly replaced: ReadonlySet<number>;
}

/**
 * The files of folders, in the order in which their rows count: folder after folder, and within a folder kind after
 * kind. Rows that failed and were corrected follow the files of their kind, because they were sent last.
 *
 * @param copying makes copies of files that are inside other files; without it there are none
 * @throws WrongUsage
 */
export async function inputFiles(
  folders: readonly string[],
  kinds: readonly Kind[],
  folderOptions?: FolderOptions,
  copying?: CopyOptions<Kind>,
): Promise<InputFile[]> {
  const files: InputFile[] = [];
  for (const folder of folders) {
    const found = await findFiles(folder, folderOptions);
    const corrected = await namesIn(join(folder, CORRECTED));
    for (const kind of KINDS.filter((one) => kinds.includes(one))) {
      const { lines: replaced, origins } = corrected.includes(`${kind}.replaces.csv`)
        ? await replacedLines(join(folder, CORRECTED, `${kind}.replaces.csv`))
        : { lines: new Map<string, Set<number>>(), origins: new Map<string, string>() };
      const names = [
        ...(found.files.get(kind) ?? []),
        ...corrected.filter((name) => kindOfRowFile(name) === kind).map((name) => `${CORRECTED}/${name}`),
      ];
      for (const name of names) {
        const label = folders.length === 1 ? name : join(folder, name);
        const cameFrom = origins.get(name);
        files.push({ folder, name, kind, label, cameFrom, replaced: replaced.get(name) ?? new Set() });
      }
    }
  }
  if (files.length > FILES_MAX)
    throw new WrongUsage(`There are ${files.length} files; at most ${FILES_MAX} can be compared at once.`);
  const copies = copying && (await ensureCopies(files, copying));
  return files.map((file) => ({ ...file, copies }));
}

/** Whether a file contains rows that were corrected after they had failed. */
export function isCorrected({ name }: InputFile): boolean {
  return name.startsWith(`${CORRECTED}/`);
}

/** A hash that changes with the corrected rows and with the lines that they replace. */
export async function correctionsHash(folders: readonly string[]): Promise<string> {
  const hashes: string[] = [];
  for (const folder of folders) {
    for (const name of await namesIn(join(folder, CORRECTED)))
      if (name.endsWith('.replaces.csv')) hashes.push(await hashFile(join(folder, CORRECTED, name)));
  }
  return hashes.join();
}

/**
 * For each file, the lines that `corrected/NAME.replaces.csv` names (choice L6). For each file with corrected rows, the
 * file from which they come.
 */
async function replacedLines(
  path: string,
): Promise<{ lines: Map<string, Set<number>>; origins: Map<string, string> }> {
  const bytes = await readFile(path);
  const finder = new CsvFinder();
  const lines = new Map<string, Set<number>>();
  const origins = new Map<string, string>();
  // The first line of the file names the columns.
  for (let at = finder.find(bytes, 0, bytes.length, true); at < bytes.length;) {
    at = finder.find(bytes, at, bytes.length, true);
    if (finder.isBlank) continue;
    // An earlier build wrote four columns.
    const place = finder.count > 5 ? finder.cell(bytes, 5) : '';
    const [file, line] =
      place === ''
        ? [finder.cell(bytes, 0), Number(finder.cell(bytes, 1))]
        : (JSON.parse(place) as [string, number]);
    if (finder.problem || finder.count < 4 || !Number.isFinite(line))
      throw new WrongUsage(`${path} is damaged: it is not as the loader wrote it.`);
    origins.set(`${CORRECTED}/${finder.cell(bytes, 2)}`, file);
    const known = lines.get(file);
    if (known) known.add(line);
    else lines.set(file, new Set([line]));
  }
  return { lines, origins };
}
