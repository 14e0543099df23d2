// npm run build: one file with the client inside, so that the tarball of npm pack installs where nothing else of the project is.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const { version, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const dist = join(folder, 'dist');

rmSync(dist, { recursive: true, force: true });
await build({
  absWorkingDir: folder,
  entryPoints: ['src/main.ts'],
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: Object.keys(dependencies),
  alias: { '@data-import/client': '../client/src/index.ts' },
  define: { LOADER_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
});
chmodSync(join(dist, 'main.js'), 0o755);
