// Installs and builds what is missing or stale. Plain Node.js: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, wherever the command was called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const NODE_MINIMUM = [20, 19];
const COMMON_INPUTS = ['src', 'ormconfig.ts', 'tsconfig.json', 'package-lock.json'];

/** What is built: its name, the folder it goes to, what it is made of, and the command that makes it. */
const SERVICE = {
  name: 'the service',
  folder: 'dist',
  inputs: [...COMMON_INPUTS, 'tsconfig.build.json', 'nest-cli.json'],
  command: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
};
const BENCHMARK = {
  name: 'the benchmark',
  folder: 'dist-bench',
  inputs: [...COMMON_INPUTS, 'tsconfig.bench.json', 'bench'],
  command: ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.bench.json'],
};

/** @param {(sentence: string) => void} say where long steps are announced */
export function prepare(say) {
  checkNode();
  process.chdir(ROOT);
  if (!isInstalled()) {
    say('Installing packages (npm ci), this takes a minute …');
    step('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  build(SERVICE, say);
}

/**
 * Build the benchmark too; call {@link prepare} first.
 *
 * @param {(sentence: string) => void} say where long steps are announced
 */
export function prepareBenchmark(say) {
  build(BENCHMARK, say);
}

function build({ name, folder, inputs, command }, say) {
  const stamp = join(ROOT, folder, '.stamp');
  const fingerprint = fingerprintOf(inputs);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint) return;
  say(`Building ${name} …`);
  rmSync(join(ROOT, folder), { recursive: true, force: true });
  const [program, ...args] = command;
  step(process.execPath, [join(ROOT, program), ...args]);
  writeFileSync(stamp, fingerprint);
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor < NODE_MINIMUM[1])) {
    fail(`Node.js ${NODE_MINIMUM.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
}

/** Whether node_modules holds just what the lock file says, as npm itself recorded it. */
function isInstalled() {
  const recorded = join(ROOT, 'node_modules', '.package-lock.json');
  if (!existsSync(recorded)) return false;
  const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(recorded, 'utf8')).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = present[path];
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
}

function fingerprintOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((name) => filesIn(name)).sort()) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path];
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(ROOT.length + 1));
}

function step(command, args) {
  // On Windows npm is a script that only a shell can start.
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
