import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { MIGRATIONS } from '../../src/database/migrations/index.js';
import { filesIn, filesOfPackages, importsOf, type SourceFile } from './sources.js';

const packages = filesOfPackages();
const source = [...filesIn('src'), ...packages.filter(({ path }) => path.includes('/src/'))].filter(
  ({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.generated.ts'),
);
const service = source.filter(({ path }) => !path.endsWith('.spec.ts'));
const tests = [
  ...filesIn('test', 'bench'),
  ...packages.filter(({ path }) => path.includes('/test/')),
  ...source.filter(({ path }) => path.endsWith('.spec.ts')),
].filter(({ path }) => path.endsWith('.ts'));
const everything = [
  ...packages,
  ...filesIn('src', 'test', 'bench', 'scripts', 'docs', 'contract', 'deploy', '.ci'),
  ...filesIn(
    'ormconfig.ts',
    'README.md',
    'CHANGELOG.md',
    'package.json',
    'package-lock.json',
    '.env.example',
  ),
];

/** Paths of the files that have the fault. */
function withFault(files: readonly SourceFile[], hasFault: (file: SourceFile) => boolean): string[] {
  return files.filter(hasFault).map(({ path }) => path);
}

describe('files', () => {
  it('import each other by the name that Node.js finds, with .js at the end', () => {
    const breaches = [...source, ...tests].flatMap((file) =>
      importsOf(file)
        .filter(({ written }) => written.startsWith('.') && !/\.(js|mjs|json)$/.test(written))
        .map(({ written }) => `${file.path} imports ${written}`),
    );
    expect(breaches).toEqual([]);
  });

  it('read the environment where a process starts, and nowhere else', () => {
    const allowed = new Map([
      ['src/main.ts', 'starts the service'],
      ['src/cli/main.ts', 'starts a command'],
      ['packages/loader/src/main.ts', 'starts a command of the loader'],
      [
        'packages/client/src/transport.ts',
        'goes through the proxy that it names, as every program is expected to',
      ],
      [
        'src/database/connection-options.ts',
        'puts its own start-up options behind those of PGOPTIONS, which pg would drop',
      ],
      ['src/database/embedded/run-as.ts', 'passes it to the programs of PostgreSQL'],
      ['src/documents/s3-document-store.ts', 'switches off a warning of the SDK, which knows no other way'],
    ]);
    expect(
      withFault(service, ({ path, text }) => text.includes('process.env') && !allowed.has(path)),
    ).toEqual([]);
  });

  it('leave nothing for later, and silence no check', () => {
    const later = ['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].map((word) => `\\b${word}\\b`);
    const silenced = ['eslint-' + 'disable', '@ts-' + 'ignore', '@ts-' + 'expect-error', '@ts-' + 'nocheck'];
    const fault = new RegExp([...later, ...silenced].join('|'));
    const written = everything.filter(({ path }) => path !== 'package-lock.json');
    expect(withFault(written, ({ text }) => fault.test(text))).toEqual([]);
  });

  it('name no folder of the machine they were written on', () => {
    const here = process.cwd().split('/').length > 2 ? process.cwd() : undefined;
    const isNamed = (text: string): boolean =>
      /\/(home|Users)\/\w/.test(text) || (here !== undefined && text.includes(`${here}/`));
    const others = everything.filter(({ path }) => path !== 'test/architecture/files.spec.ts');
    expect(withFault(others, ({ text }) => isNamed(text))).toEqual([]);
  });
});

describe('tests', () => {
  it('all run: none is left out or singled out', () => {
    const fault = /\b(it|test|describe)\.(skip|only|todo|failing)\b|^\s*[xf](it|describe|test)\(/m;
    expect(withFault(tests, ({ text }) => fault.test(text))).toEqual([]);
  });

  it('start programs with the settings they name, and none of a file .env (test/support/service-process.ts)', () => {
    const own = tests.filter(({ path }) => path !== 'test/support/service-process.ts');
    expect(withFault(own, ({ text }) => /\bPATH: process\.env\.PATH\b/.test(text))).toEqual([]);
  });

  it('wait for what they need (test/support/wait-until.ts), never for time to pass', () => {
    const fault =
      /await (delay|sleep|setTimeout)\(|await new Promise\S*\(\(\w*\) =>\s*\{?\s*setTimeout|pg_sleep/;
    const allowed = new Set(['test/support/wait-until.ts', 'test/architecture/files.spec.ts']);
    const judged = tests.filter(({ path }) => !path.startsWith('bench/') && !allowed.has(path));
    expect(withFault(judged, ({ text }) => fault.test(text))).toEqual([]);
  });
});

describe('the database', () => {
  it('gets every migration there is, oldest first', () => {
    const files = filesIn('src/database/migrations')
      .map(({ path }) => /^(\d+)-/.exec(basename(path))?.[1])
      .filter((timestamp) => timestamp !== undefined);
    const listed = MIGRATIONS.map(({ name }) => /\d+$/.exec(name)?.[0]);
    expect(listed).toEqual(files);
  });
});

describe('the lock file', () => {
  it('has an entry for every optional package, without which npm ci refuses it', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const isFound = (from: string, name: string): boolean =>
      `${from}/node_modules/${name}`.replace(/^\//, '') in packages ||
      (from !== '' && isFound(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isFound(path, name)),
    );
    expect(missing).toEqual([]);
  });
});
