// Installs and builds what is missing or stale. Plain Node.js: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, wherever the command was called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const NODE_MINIMUM = [20, 19];
const COMMON_INPUTS = ['src', 'ormconfig.ts', 'tsconfig.json', 'package-lock.json'];

/**
 * Where builds are. Each has a folder of its own, named after what it was made of, which is not changed any more once it
 * is whole; `dist` is a link to the newest. Node.js follows the link once, so a process goes on with the build that it
 * was started from, also with what it loads later, whatever is built meanwhile.
 */
const BUILDS = join(ROOT, 'builds');
/** So many builds of a kind are kept, those that were the newest last. */
const KEPT_MAX = 5;

/** What is built: its name, how its folders are called, the link to the newest, what it is made of, and with what. */
const SERVICE = {
  name: 'the service',
  kind: 'service',
  link: join(ROOT, 'dist'),
  inputs: [...COMMON_INPUTS, 'tsconfig.build.json', 'nest-cli.json'],
  compiler: ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
  settings: 'tsconfig.build.json',
};
const BENCHMARK = {
  name: 'the benchmark',
  kind: 'benchmark',
  link: join(ROOT, 'dist-bench'),
  inputs: [...COMMON_INPUTS, 'tsconfig.bench.json', 'bench'],
  compiler: ['node_modules/typescript/bin/tsc'],
  settings: 'tsconfig.bench.json',
};

// Who reads what is said may stop reading, as `head` does. The service does the same for its own (src/common/readers.ts).
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

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

function build(what, say) {
  let folder = folderOf(what);
  while (!existsSync(folder)) {
    say(`Building ${what.name} …`);
    make(what, folder);
    // Whoever changed a file meanwhile wants the change.
    folder = folderOf(what);
  }
  if (targetOf(what.link) !== folder) makeNewest(what, folder);
}

/** The name tells what it is made of, so whatever stands there needs no building. */
function folderOf({ kind, inputs }) {
  return join(BUILDS, `${kind}-${fingerprintOf(inputs).slice(0, 16)}`);
}

/** Build beside the folder and move it there when it is whole and known to be of that name. */
function make(what, folder) {
  const draft = draftOf(folder);
  mkdirSync(draft, { recursive: true });
  const settings = { extends: `../../${what.settings}`, compilerOptions: { outDir: '.' } };
  writeFileSync(join(draft, 'tsconfig.json'), JSON.stringify(settings));
  const [program, ...args] = what.compiler;
  step(process.execPath, [join(ROOT, program), ...args, '-p', relative(ROOT, join(draft, 'tsconfig.json'))]);
  if (folderOf(what) === folder) moveTo(folder, draft);
  remove(draft);
}

/** Another process may have been faster; its build is the same. */
function moveTo(folder, draft) {
  try {
    renameSync(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function targetOf(link) {
  try {
    return realpathSync(link);
  } catch {
    return undefined;
  }
}

/** Let the link lead to a build, all at once, and remove those that are too old. */
function makeNewest({ kind, link }, folder) {
  const now = new Date();
  utimesSync(folder, now, now);
  const draft = draftOf(link);
  // The type is for Windows, where links of another kind are not for everybody.
  symlinkSync(relative(ROOT, folder), draft, 'junction');
  try {
    renameSync(draft, link);
  } catch {
    // A folder, from before there were links; or Windows, which replaces none.
    remove(link);
    renameSync(draft, link);
  }
  removeOldBuilds(kind);
}

function removeOldBuilds(kind) {
  const builds = readdirSync(BUILDS).filter((name) => name.startsWith(`${kind}-`));
  const drafts = builds.filter((name) => builderOf(name) !== undefined);
  const whole = builds.filter((name) => builderOf(name) === undefined);
  const old = whole.sort((one, other) => lastNewestMs(other) - lastNewestMs(one)).slice(KEPT_MAX);
  for (const name of drafts.filter((draft) => !isAlive(builderOf(draft)))) remove(join(BUILDS, name));
  for (const name of old) removeBuild(join(BUILDS, name));
}

/** Out of its place first, so that nobody takes what is left of it for a build. */
function removeBuild(folder) {
  const draft = draftOf(folder);
  try {
    renameSync(folder, draft);
  } catch {
    // Another process removes it.
    return;
  }
  remove(draft);
}

function remove(folder) {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Named after this process, so that a later one sees when it was abandoned. */
function draftOf(path) {
  return `${path}.${process.pid}`;
}

function builderOf(name) {
  const pid = /\.(\d+)$/.exec(name)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function lastNewestMs(name) {
  return statSync(join(BUILDS, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
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
