// node build.mjs FILE: bundles the package for the service, which imports it as #files. Its packages stay packages of the service.
import { resolve } from 'node:path';
import { build } from 'esbuild';

await build({
  absWorkingDir: import.meta.dirname,
  entryPoints: ['src/index.ts'],
  outfile: resolve(process.argv[2]),
  bundle: true,
  packages: 'external',
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
});
