// npm run build: the program, with the client inside, and the thread of verify. Each is one file, so that the tarball of npm pack
// installs where nothing else of the project is.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const { version, dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
const dist = join(folder, 'dist');

const { outputFiles } = await build({
  absWorkingDir: folder,
  entryPoints: { main: 'src/main.ts', 'entries-thread': 'src/verify/entries-thread.ts' },
  outdir: dist,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  external: Object.keys(dependencies),
  alias: { '@data-import/client': '../client/src/index.ts' },
  define: { LOADER_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
  write: false,
});

// The JSON Schema of a mapping file, for editors.
const schema = await build({
  absWorkingDir: folder,
  entryPoints: ['src/mapping/schema.ts'],
  bundle: true,
  platform: 'node',
  format: 'esm',
  logLevel: 'warning',
  write: false,
});
const [{ text: program }] = schema.outputFiles;
const { mappingSchema } = await import(`data:text/javascript,${encodeURIComponent(program)}`);
outputFiles.push({
  path: join(dist, 'mapping.schema.json'),
  contents: `${JSON.stringify(mappingSchema(), null, 2)}\n`,
});

// Each file is replaced at once: a program that starts meanwhile finds the old one or the new one.
mkdirSync(dist, { recursive: true });
const drafts = mkdtempSync(join(folder, 'dist-'));
const names = outputFiles.map(({ path, contents }) => {
  const name = basename(path);
  writeFileSync(join(drafts, name), contents, { mode: 0o755 });
  renameSync(join(drafts, name), path);
  return name;
});
rmSync(drafts, { recursive: true });
for (const name of readdirSync(dist))
  if (!names.includes(name)) rmSync(join(dist, name), { recursive: true });
