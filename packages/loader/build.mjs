// node build.mjs [FOLDER]: makes data-import-loader.mjs, the whole loader in one file that needs only Node.js, with the licences
// of the packages in it; its checksum; and the JSON Schema of a mapping file. Without FOLDER that is `dist`, which npm packs.
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from '../../scripts/prepare.mjs';

const PROGRAM = 'data-import-loader.mjs';
const folder = import.meta.dirname;
const target = resolve(process.argv[2] ?? join(folder, 'dist'));

// In a fresh clone npm packs before anything is installed.
install((sentence) => process.stderr.write(`${sentence}\n`));
const { build } = await import('esbuild');

const bundled = {
  absWorkingDir: folder,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  logLevel: 'warning',
  write: false,
  alias: { '@data-import/client': '../client/src/index.ts', '@data-import/files': '../files/src/index.ts' },
};
const { outputFiles, metafile } = await build({
  ...bundled,
  entryPoints: ['src/main.ts'],
  // Packages in CommonJS require modules of Node.js.
  banner: {
    js: "import { createRequire as createRequireHere } from 'node:module';\nconst require = createRequireHere(import.meta.url);",
  },
  metafile: true,
});
const program = outputFiles[0].text + licences(Object.keys(metafile.inputs));
const checksum = createHash('sha256').update(program).digest('hex');

const schema = await build({ ...bundled, entryPoints: ['src/mapping/schema.ts'] });
const { mappingSchema } = await import(
  `data:text/javascript,${encodeURIComponent(schema.outputFiles[0].text)}`
);

replaceAll({
  [PROGRAM]: program,
  // In the form that `sha256sum --check` reads.
  [`${PROGRAM}.sha256`]: `${checksum}  ${PROGRAM}\n`,
  'mapping.schema.json': `${JSON.stringify(mappingSchema(), null, 2)}\n`,
});

/** A comment with the licence of the loader, and those of the packages that files are of. */
function licences(files) {
  const packages = new Set(
    files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []),
  );
  const texts = ['.', ...[...packages].sort()].map((path) => {
    const place = join(folder, path);
    const { name, version, license } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    const file = readdirSync(place).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} has no file with its licence.`);
    return `==== ${name} ${version} (${license})\n\n${readFileSync(join(place, file), 'utf8').trim()}\n`;
  });
  const text = `Licences of the loader and of the packages in this file.\n\n${texts.join('\n')}`;
  return `\n/*\n${text.replaceAll('*/', '* /')}*/\n`;
}

/** Each file is replaced at once: a program that starts meanwhile finds the old one or the new one. Others are removed. */
function replaceAll(files) {
  mkdirSync(target, { recursive: true });
  const drafts = mkdtempSync(`${target}-`);
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(drafts, name), text, { mode: name === PROGRAM ? 0o755 : 0o644 });
    renameSync(join(drafts, name), join(target, name));
  }
  rmSync(drafts, { recursive: true });
  for (const name of readdirSync(target))
    if (!Object.hasOwn(files, name)) rmSync(join(target, name), { recursive: true });
}
