import { join } from 'node:path';

/** The loader in one file, which the build of the service has made (packages/loader/build.mjs). */
export const PROGRAM = join(
  import.meta.dirname,
  '..',
  '..',
  '..',
  '..',
  'dist',
  'docs',
  'loader',
  'data-import-loader.mjs',
);
