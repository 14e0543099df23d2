import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the compiled benchmark, two levels below the project's folder (scripts/run-benchmark.mjs). */
export const HERE = fileURLToPath(new URL('.', import.meta.url));
export const PROJECT = join(HERE, '..', '..');

/** The built service, relative to the folder of a checkout. */
export const SERVICE_PROGRAM = join('dist', 'src', 'main.js');
/** The built loader and its build script, relative to the same folder. */
export const LOADER_PROGRAM = join('packages', 'loader', 'dist', 'data-import-loader.mjs');
export const LOADER_BUILD = join('packages', 'loader', 'build.mjs');
