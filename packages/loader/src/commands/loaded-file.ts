import { closeSync, openSync, readSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../common/files.js';
import { VERSION } from '../common/version.js';

/** What was loaded from a folder, for whoever it is handed over to. */
const LOADED = 'loaded.json';

/** What the file begins with: another one of this name is somebody else's. */
const MARK = '{\n  "written_by": "data-import-loader ';

/**
 * Write the document whole or not at all. The draft is in the work folder: one that a killed process leaves is no file of the folder.
 *
 * @returns whether it was written: not over somebody else's file
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

/** Remove the document, since it is not right any more. */
export function removeLoaded(folder: string): void {
  if (!isOthers(folder)) rmSync(join(folder, LOADED), { force: true });
}

/** Whether there is such a file that the loader has not written. */
function isOthers(folder: string): boolean {
  let file: number;
  try {
    file = openSync(join(folder, LOADED), 'r');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
  try {
    const bytes = Buffer.alloc(MARK.length);
    readSync(file, bytes, 0, bytes.length, 0);
    return bytes.toString() !== MARK;
  } finally {
    closeSync(file);
  }
}
