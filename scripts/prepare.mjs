// Installs and builds whatever is missing or stale. Uses only Node.js, because it runs before anything is installed. In a release
// (deploy/release) it does nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, independent of the working directory. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const NODE_MINIMUM = [20, 19];

/**
 * Every build has its own folder in `builds`, which never changes, and `dist` is a link to the newest one. Node.js resolves the
 * link once, so a running process keeps the build that it was started from, even for modules that it loads later.
 */
const BUILDS = 'builds';
/** Number of builds kept, because processes started from older builds may still load modules from them. */
const KEPT_BUILDS = 5;
/** The build in progress: the output folder of tsconfig.build.json and of the other build steps. */
const DRAFT = 'builds/new';
const STEPS = [
  ['node_modules/@nestjs/cli/bin/nest.js', 'build', '--silent'],
  ['packages/files/build.mjs', `${DRAFT}/files.mjs`],
  ['packages/loader/build.mjs', `${DRAFT}/docs/loader`],
  ['scripts/docs/build.mjs', `${DRAFT}/docs`],
];
/** The sources of a build. Each build contains a hash of them. */
const SOURCES = [
  ...[
    'src',
    'docs',
    'contract',
    'scripts/docs',
    'packages/client/src',
    'packages/files/build.mjs',
    'packages/files/package.json',
    'packages/files/src',
    'packages/loader/src',
    'packages/loader/docs',
  ],
  ...['build.mjs', 'package.json', 'LICENSE', 'README.md'].map((name) => `packages/loader/${name}`),
  ...['nest-cli.json', 'tsconfig.json', 'tsconfig.build.json', '.swcrc', 'package-lock.json'],
];

/** Lock file for installing and building; it contains the process id of its holder. */
const LOCK = '.prepare.lock';
/** A lock this old is abandoned, even if its process id is in use: in a container, another process may have that id by now. */
const LOCK_AGE_MAX_MS = 600_000;

// A reader such as `head` may stop reading. The service handles this itself (src/infrastructure/log/standard-output.ts).
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** @param {(sentence: string) => void} say called before a long step */
export function prepare(say) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor < NODE_MINIMUM[1])) {
    fail(`Node.js ${NODE_MINIMUM.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
  process.chdir(ROOT);
  // A release has no sources, and its folder is read-only: it was built and installed when it was made.
  if (!fs.existsSync('src')) return;
  install(say);
  // A file that changes during the build makes that build stale.
  while (!isBuilt()) withLock(() => isBuilt() || build(say));
}

/**
 * Install missing packages.
 *
 * @param {(sentence: string) => void} say called before a long step
 */
export function install(say) {
  process.chdir(ROOT);
  const installNow = () => {
    say('Installing packages (npm ci), this takes a minute …');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  };
  if (!isInstalled()) withLock(() => isInstalled() || installNow());
}

/** Whether node_modules, by npm's record of it, matches the lock file. */
function isInstalled() {
  const recorded = 'node_modules/.package-lock.json';
  if (!fs.existsSync(recorded)) return false;
  const [wanted, present] = ['package-lock.json', recorded].map(
    (path) => JSON.parse(fs.readFileSync(path)).packages,
  );
  return Object.entries(wanted).every(([path, { version, optional = false }]) => {
    return path === '' || (path in present ? present[path].version === version : optional);
  });
}

function isBuilt() {
  return fs.existsSync('dist/.fingerprint') && fs.readFileSync('dist/.fingerprint', 'utf8') === fingerprint();
}

/** Types are stripped without a type check, which would take a hundred times as long: `npm run type-check` does that. */
function build(say) {
  say('Building the service (nest build) …');
  const before = fingerprint();
  remove(DRAFT);
  for (const step of STEPS) run(process.execPath, step);
  fs.writeFileSync(`${DRAFT}/.fingerprint`, before);
  // Another process may have considered the lock abandoned and built in the same folder.
  if (fs.readFileSync(LOCK, 'utf8') !== String(process.pid)) return;
  const folder = `${BUILDS}/${Date.now()}`;
  fs.renameSync(DRAFT, folder);
  remove('dist.new');
  fs.symlinkSync(folder, 'dist.new');
  fs.renameSync('dist.new', 'dist');
  const [builds, others] = [true, false].map((isBuild) =>
    fs.readdirSync(BUILDS).filter((name) => /^\d+$/.test(name) === isBuild),
  );
  for (const name of [...others, ...builds.sort().slice(0, -KEPT_BUILDS)]) remove(join(BUILDS, name));
}

function fingerprint() {
  const below = (path) =>
    fs.statSync(path).isFile() ? [path] : fs.readdirSync(path).flatMap((name) => below(join(path, name)));
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(below))
    hash.update(`${path}\0`).update(fs.readFileSync(path)).update('\0');
  return hash.digest('hex');
}

/** Concurrent installations would damage each other; a second concurrent build would only be wasted work. */
function withLock(work) {
  while (!tryToLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  const release = () => remove(LOCK);
  process.once('exit', release);
  work();
  process.off('exit', release);
  release();
}

function tryToLock() {
  try {
    fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) remove(LOCK);
    return false;
  }
}

function isAbandoned() {
  try {
    const holder = Number(fs.readFileSync(LOCK, 'utf8'));
    if (holder === process.pid || Date.now() - fs.statSync(LOCK).mtimeMs > LOCK_AGE_MAX_MS) return true;
    // The file is empty until its holder has written to it, and signalling process 0 would mean this process group.
    if (holder > 0) process.kill(holder, 0);
    return false;
  } catch (error) {
    // ESRCH: no process has this id. With another code, the lock was just released or its holder belongs to another user.
    return error.code === 'ESRCH';
  }
}

function remove(path) {
  fs.rmSync(path, { recursive: true, force: true });
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 2, 2] });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
