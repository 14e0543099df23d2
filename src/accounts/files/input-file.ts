import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import {
  ACCOUNTS,
  copiesText,
  ensureCopies,
  isCopied,
  membersOf,
  NO_MAPPING,
  parseMapping,
  WrongUsage,
  type KindMapping,
} from '#files';
import type { CommandContext } from '../../infrastructure/commands/command-line.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';
import { readAccountFile, refusal, type FileFormat } from './account-file.js';
import { openFile } from './file-source.js';
import type { ReadLines } from './line-reading.js';

/** A file that an operator named, as mappings and messages name it. */
interface Place {
  readonly folder: string;
  readonly name: string;
}

/** A place with its mapping, if there is one. */
interface MappedPlace extends Place {
  readonly mapping?: KindMapping;
}

export interface ReadingOptions {
  readonly format: FileFormat | undefined;
  /** Whether the file is read more than once. */
  readonly isReadAgain: boolean;
}

/**
 * Find a file. A member of a zip archive is named `FILE.zip/MEMBER`; the archive alone stands for its only member.
 *
 * @param file `-` for standard input
 */
export async function placeOf(file: string, { cwd }: CommandContext): Promise<Place> {
  if (file === '-') return { folder: '', name: file };
  const path = resolve(cwd, file);
  const [, archive, member] = /^(.*?\.zip)\/(.+)$/is.exec(path) ?? [];
  if (archive !== undefined && member !== undefined)
    return { folder: dirname(archive), name: `${basename(archive)}/${member}` };
  const place = { folder: dirname(path), name: basename(path) };
  if (!/\.zip$/i.test(path)) return place;
  try {
    const names = await membersOf(path);
    const [name = ''] = names;
    if (names.length !== 1)
      throw new WrongUsage(`${place.name} has ${names.length} files. Name one: ${file}/${name || 'MEMBER'}.`);
    return { ...place, name: `${place.name}/${name}` };
  } catch (error) {
    throw refusal(error, 'file_not_readable');
  }
}

/**
 * Read a mapping file, of which the entries of the kind accounts count.
 *
 * @returns also the place of the part of the file that it reads, such as a sheet
 * @throws WrongUsage when it cannot be read, or has not one entry for the file
 */
export async function readMapping(
  file: string,
  { folder, name }: Place,
  { cwd }: CommandContext,
): Promise<MappedPlace> {
  const text = await readFile(resolve(cwd, file), 'utf8').catch((error: unknown) => {
    throw new WrongUsage(`It cannot be read: ${systemReason(error)}.`);
  });
  const { of, partsOf } = parseMapping(text, file, [ACCOUNTS], true);
  const mapping = of(ACCOUNTS.name);
  const [part, ...others] = partsOf(name).filter((one) => !mapping.of(one).isEmpty);
  if (part === undefined || others.length > 0)
    throw new WrongUsage(
      `It has ${part === undefined ? 'no entry' : 'several entries'} of the kind accounts for ${name}.`,
    );
  if (folder === '' && isCopied({ folder, name: part }, mapping))
    throw new WrongUsage(
      'A sheet, an archive or a JSON document cannot be read from standard input; name a file.',
    );
  return { mapping, folder, name: part };
}

/**
 * Open a file of accounts. A sheet of a workbook and a member of an archive are copied into a temporary folder first.
 *
 * @throws CommandError `file_not_readable`
 */
export async function openInput(
  file: string,
  place: MappedPlace,
  context: CommandContext,
  { format, isReadAgain }: ReadingOptions,
): Promise<{ readonly read: ReadLines; readonly close: () => void }> {
  const { mapping = NO_MAPPING } = place;
  if (!isCopied(place, mapping)) {
    const { chunks, close } = await openFile(file, context, isReadAgain);
    return { read: (lines) => readAccountFile(format, { ...place, bytes: chunks() }, lines), close };
  }
  const workFolder = await mkdtemp(join(tmpdir(), 'data-import-'));
  const close = (): void => {
    rmSync(workFolder, { recursive: true, force: true });
  };
  try {
    const named = { ...place, kind: ACCOUNTS.name };
    const copies = await ensureCopies([named], { workFolder, mappingOf: () => mapping });
    for (const sentence of copiesText(copies)) context.say(sentence);
    return { read: (lines) => readAccountFile(format, { ...place, copies }, lines), close };
  } catch (error) {
    close();
    throw refusal(error, 'file_not_readable');
  }
}
