import { readFileSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '@data-import/files';
import { VERSION } from '../common/version.js';

/** The file that documents the loaded data of a folder, to be handed over. */
const LOADED = 'loaded.json';

/** The beginning of the file. A file of this name without it is not the loader's. */
const MARK = '{\n  "written_by": "data-import-loader ';

/**
 * Write the document atomically. The draft is in the work folder, so that a killed process leaves no extra file in the folder.
 *
 * @returns whether it was written; a file that is not the loader's is not overwritten
 */
export async function writeLoadedFile(
  folder: string,
  workFolder: string,
  document: object,
): Promise<boolean> {
  if (isOthers(folder)) return false;
  const draft = join(workFolder, LOADED);
  const content = { written_by: `data-import-loader ${VERSION}`, ...document };
  await writeWhole(draft, (file) => {
    file.add(`${JSON.stringify(content, null, 2)}\n`);
  });
  await rename(draft, join(folder, LOADED));
  return true;
}

/** Remove the document once it is no longer correct. */
export function removeLoaded(folder: string): void {
  if (!isOthers(folder)) rmSync(join(folder, LOADED), { force: true });
}

/** Whether a file of this name exists that the loader did not write. */
function isOthers(folder: string): boolean {
  try {
    return !readFileSync(join(folder, LOADED), 'utf8').startsWith(MARK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
