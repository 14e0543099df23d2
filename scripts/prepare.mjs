// Installs and builds what is missing or stale. Uses nothing but Node.js, because it runs before anything is installed.
// In a release (deploy/release) it does nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, wherever the command was called from. */
export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const NODE_MINIMUM = [20, 19];

/** What the compiler translates; it reads its options in .swcrc. */
const SOURCE = /(?<!\.spec|\.d)\.tsx?$/;
/** A build is stale when one of them has changed, too. */
const COMPILER = ['.swcrc', 'package-lock.json'];

/** What the compiler leaves out: style sheets, scripts and icon of the pages. */
const ASSETS = ['src/console/assets', 'src/http/docs/assets'];

/**
 * Every build has a folder of its own in here that never changes, and `dist` is a link to the newest. Node.js resolves
 * the link once, so a running process keeps the build that it was started from, also for modules that it loads later.
 */
const BUILDS = join(ROOT, 'builds');
/** Older builds are removed; processes that were started from them may still load modules. */
const KEPT_BUILDS = 5;
/** In each build: the hash of what it was made of. */
const FINGERPRINT = '.fingerprint';

/** What the one file of the loader and the content of the docs are made of, which each build of the service has. */
const LOADER = ['src', 'docs', 'build.mjs', 'package.json', 'LICENSE', 'README.md'].map(
  (name) => `packages/loader/${name}`,
);

const SERVICE = {
  name: 'service',
  link: 'dist',
  sources: ['src', 'ormconfig.ts'],
  others: [...LOADER, 'packages/client/src', 'docs', 'contract', 'scripts/docs.mjs'],
};
const BENCHMARK = {
  name: 'benchmark',
  link: 'dist-bench',
  sources: [...SERVICE.sources, 'bench', 'test/support'],
};

/** Held while something is installed or built; contains the process id of the holder. */
const LOCK = join(ROOT, '.prepare.lock');
const LOCK_RETRY_MS = 100;
/** A lock this old was left behind; in a container its process id may belong to another process by now. */
const LOCK_AGE_MAX_MS = 600_000;

// A reader such as `head` may stop reading. The service handles this for itself (src/common/standard-output.ts).
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** @param {(sentence: string) => void} say called before a step that takes long */
export function prepare(say) {
  checkNode();
  process.chdir(ROOT);
  // A release has no sources, and its folder is read-only: it was built and installed when it was made.
  if (!existsSync(join(ROOT, 'src'))) return;
  install(say);
  build(SERVICE, say);
}

/**
 * Build the benchmark too; call {@link prepare} first.
 *
 * @param {(sentence: string) => void} say called before a step that takes long
 */
export function prepareBenchmark(say) {
  build(BENCHMARK, say);
}

/**
 * Install what is missing.
 *
 * @param {(sentence: string) => void} say called before a step that takes long
 */
export function install(say) {
  const installNow = () => {
    say('Installing packages (npm ci), this takes a minute …');
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  };
  if (!isInstalled()) withLock(() => isInstalled() || installNow());
}

function build(what, say) {
  // A file that changes during the build makes that build stale.
  while (!isBuilt(what)) withLock(() => isBuilt(what) || buildAnew(what, say));
}

function isBuilt(what) {
  try {
    return readFileSync(join(ROOT, what.link, FINGERPRINT), 'utf8') === fingerprintOf(what);
  } catch {
    return false;
  }
}

function buildAnew(what, say) {
  const { name, link, sources } = what;
  say(`Building the ${name} …`);
  const folder = join(BUILDS, `${name}-${Date.now()}`);
  const fingerprint = fingerprintOf(what);
  translate(sources, folder);
  for (const assets of ASSETS) cpSync(assets, join(folder, assets), { recursive: true });
  if (what === SERVICE) {
    run(process.execPath, ['packages/loader/build.mjs', join(folder, 'loader')]);
    run(process.execPath, ['scripts/docs.mjs', folder]);
  }
  writeFileSync(join(folder, FINGERPRINT), fingerprint);
  replaceLink(join(ROOT, link), folder);
  removeOldBuilds(name);
}

/** Types are removed and not checked, which takes a hundred times as long: `npm run type-check` checks them. */
function translate(sources, folder) {
  const { transformFileSync } = createRequire(import.meta.url)('@swc/core');
  for (const path of sources.flatMap(filesIn).filter((file) => SOURCE.test(file))) {
    const target = join(folder, relative(ROOT, path)).replace(/tsx?$/, 'js');
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transformFileSync(path, { cwd: ROOT }).code);
  }
}

function replaceLink(link, folder) {
  const draft = `${link}.new`;
  remove(draft);
  // Windows lets everybody make a link of this type.
  symlinkSync(relative(ROOT, folder), draft, 'junction');
  try {
    renameSync(draft, link);
  } catch {
    // It is a folder, or this is Windows, where a rename replaces no link.
    remove(link);
    renameSync(draft, link);
  }
}

/** A name ends with the time of its build; one that does not is of an earlier version. Interrupted builds are removed too. */
function removeOldBuilds(name) {
  const builtAt = (build) => Number(build.slice(name.length + 1)) || 0;
  const builds = readdirSync(BUILDS)
    .filter((build) => build.startsWith(`${name}-`))
    .sort((one, other) => builtAt(one) - builtAt(other));
  for (const build of builds.slice(0, -KEPT_BUILDS)) remove(join(BUILDS, build));
}

/** Two builds at once would harm nothing, because each has its own folder; the second would only be wasted work. */
function withLock(work) {
  while (!tryToLock()) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_RETRY_MS);
  try {
    work();
  } finally {
    remove(LOCK);
  }
}

function tryToLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (isAbandoned()) remove(LOCK);
    return false;
  }
}

function isAbandoned() {
  try {
    const holder = Number(readFileSync(LOCK, 'utf8'));
    if (Date.now() - statSync(LOCK).mtimeMs > LOCK_AGE_MAX_MS) return true;
    return holder > 0 && (holder === process.pid || !isAlive(holder));
  } catch {
    // Released in this moment.
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function remove(path) {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < NODE_MINIMUM[0] || (major === NODE_MINIMUM[0] && minor < NODE_MINIMUM[1])) {
    fail(`Node.js ${NODE_MINIMUM.join('.')} or newer is needed; this is ${process.versions.node}.`);
  }
}

/** Whether node_modules holds what the lock file says, as recorded by npm. */
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

function fingerprintOf({ sources, others = [] }) {
  const hash = createHash('sha256');
  for (const path of [...sources, ...others, ...COMPILER].flatMap(filesIn).sort()) {
    hash
      .update(`${relative(ROOT, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

function filesIn(name) {
  const path = join(ROOT, name);
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    // On Windows npm is a script that only a shell can start.
    shell: process.platform === 'win32',
  });
  if (status !== 0) fail(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}.`);
}

function fail(sentence) {
  remove(LOCK);
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
