import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The path of a project file, from whichever folder the process was started. Builds and releases have different depths, so the
 * project's folder is the nearest one above this file that contains a package.json.
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
 * The path of a file that the build creates beside the code. It belongs to the running build, or in tests, which run the sources,
 * to the newest build.
 *
 * @param path relative to the build's folder
 */
export function buildFile(path: string): string {
  const own = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', path);
  return existsSync(own) ? own : projectFile(join('dist', path));
}
