// npm run contract: write the descriptions of the interfaces and of the database schema, and the files of packages/ generated from
// them. With --check, only compare them, and lint the OpenAPI documents by the rules of redocly.yaml.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packageFiles } from './contract-packages.mjs';
import { ROOT, prepare } from './prepare.mjs';

prepare((sentence) => process.stderr.write(`${sentence}\n`));
const { describeContract } = await import('../dist/src/apps/http/openapi/contract.js');
const described = await describeContract();
const [openapi, platform] = ['openapi.json', 'platform.json'].map((wanted) =>
  JSON.parse(described.find(({ name }) => name === wanted).text),
);
const files = [
  ...described.map(({ name, text }) => ({ path: `contract/${name}`, text })),
  { path: 'contract/schema.sql', text: await migratedSchema() },
  ...(await packageFiles(openapi, platform)),
];
if (process.argv.includes('--check')) {
  check(files);
  lint();
} else {
  write(files);
}

/** The schema of a newly migrated database, in a temporary PostgreSQL. */
async function migratedSchema() {
  const { readEnvironment } = await import('../dist/src/infrastructure/config/env.js');
  const { joinEmbeddedPostgres } =
    await import('../dist/src/infrastructure/database/embedded/embedded-postgres.js');
  const { connect, migrate } = await import('../dist/src/infrastructure/database/open-database.js');
  const { describeSchema } = await import('../dist/src/infrastructure/database/schema-description.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'data-import-contract-'));
  try {
    const postgres = await joinEmbeddedPostgres({ dataDir, role: 'service', say: () => undefined });
    try {
      const environment = readEnvironment({});
      await migrate(postgres.url, environment);
      const dataSource = await connect(postgres.url, environment);
      const schema = await describeSchema((sql) => dataSource.query(sql));
      await dataSource.destroy();
      return schema;
    } finally {
      await postgres.release();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function write(files) {
  for (const { path, text } of files) {
    mkdirSync(dirname(join(ROOT, path)), { recursive: true });
    writeFileSync(join(ROOT, path), text);
  }
}

function check(files) {
  for (const { path, text } of files) {
    const difference = firstDifference(read(path), text);
    if (difference === undefined) continue;
    process.stderr.write(`${path} is out of date at ${difference}\nUpdate it with: npm run contract\n`);
    process.exitCode = 1;
  }
}

function lint() {
  const program = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [program, 'lint', 'contract/openapi.json', 'contract/platform.json'],
    {
      cwd: ROOT,
      encoding: 'utf8',
      // No network access: no telemetry and no check for updates.
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}\n`);
  process.exitCode = 1;
}

function read(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return '';
  }
}

/** A description of the first line that differs; undefined when the texts are equal. */
function firstDifference(committed, current) {
  if (committed === current) return undefined;
  const [was, is] = [committed.split('\n'), current.split('\n')];
  const index = is.findIndex((line, at) => line !== was[at]);
  const at = index === -1 ? is.length : index;
  return `line ${at + 1}:\n- ${was[at] ?? '(end of file)'}\n+ ${is[at] ?? '(end of file)'}`;
}
