import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path of a file of the project, from whichever folder the process was started. A build and a release have different
 * depths, so the project's folder is the nearest one above this file that has a package.json.
 *
 * @param path relative to the project's folder
 */
export function projectFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('The folder of the project was not found.');
    folder = parent;
  }
  return join(folder, path);
}

/**
 * The path of a file that the build makes beside the code: of the build that runs, or of the newest one in a test, which runs the
 * sources.
 *
 * @param path relative to the build's folder
 */
export function buildFile(path: string): string {
  const own = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', path);
  return existsSync(own) ? own : projectFile(join('dist', path));
}
