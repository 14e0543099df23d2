import { KINDS } from '../kinds/kinds.js';
import type { FolderContent } from '../rows/folder.js';
import { expectRecordTypes, ignoredFiles, leftOutOf, type LeftOut, type ReadKind } from '../rows/left-out.js';
import type { FileUse } from '../verify/entries-share.js';
import { isCorrected, type InputFile } from '../verify/input.js';
import type { MappingFile } from './options.js';

/** What the mapping and the options leave out of a folder, and their rules that nothing uses. */
export function allLeftOut(
  preparations: Iterable<ReadKind>,
  { ignored }: Pick<FolderContent, 'ignored'>,
  { of, folder }: MappingFile,
): LeftOut[] {
  return [...leftOutOf(preparations, of), ...ignoredFiles(ignored, folder.ignore ?? [])];
}

/** The same of several folders. @throws WrongUsage as {@link expectRecordTypes} */
export function leftOutOfFolders(
  uses: readonly FileUse[],
  files: readonly InputFile[],
  contents: readonly FolderContent[],
  { of, folder }: MappingFile,
): LeftOut[] {
  const names = new Map(files.map(({ label, name }) => [label, name]));
  const mappingOf: typeof of = (kind) => ({
    ...of(kind),
    of: (label) => of(kind).of(names.get(label) ?? label),
  });
  const read = uses.flatMap((use) => {
    const file = files[use.index];
    return file && !isCorrected(file) ? [{ ...use, kind: file.kind, name: file.label }] : [];
  });
  const kinds = KINDS.map((kind) => ({ kind, files: read.filter((file) => file.kind === kind) }));
  expectRecordTypes(kinds, mappingOf);
  const ignored = new Map<string, number>();
  for (const content of contents)
    for (const [pattern, count] of content.ignored) ignored.set(pattern, (ignored.get(pattern) ?? 0) + count);
  return [...leftOutOf(kinds, mappingOf), ...ignoredFiles(ignored, folder.ignore ?? [])];
}
