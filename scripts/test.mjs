// npm test and npm run test:all: install and build if needed, then run the tests. `--project=NAME` runs one project of
// jest.config.mjs; a path runs its test files, whatever their project; other arguments go to Jest.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './npm-shell.mjs';
import { ROOT, prepare } from './prepare.mjs';
import { findChromium } from '../test/support/chromium.mjs';
import * as notOnCitus from '../test/support/not-on-citus.mjs';

/** Projects of `npm test`: the first tests to run after a change of the service, in five minutes. */
const SHORT = ['unit', 'client', 'architecture', 'database', 'e2e'];
/** Projects that `npm run test:all` adds. */
const LONG = ['console', 'commands', 'process', 'loader', 'browser', 'soak'];
const ALL = '--all';
const PROJECT = /^--project=(.+)$/;

const say = (sentence) => process.stderr.write(`${sentence}\n`);

prepare(say);
endWithNpm();
const args = process.argv.slice(2);
const forJest = args.filter((arg) => arg !== ALL && !PROJECT.test(arg));
const named = args.flatMap((arg) => PROJECT.exec(arg)?.[1] ?? []);
const hasFiles = forJest.some((arg) => !arg.startsWith('-'));
// Must come last, because Jest reads all following arguments as names of projects.
forJest.push('--selectProjects', ...(named.length > 0 ? named : selected()));

const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
// The service sets this itself (src/documents/s3-document-store.ts), but within Jest its environment is a copy.
const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
const running = spawn(process.execPath, [...flags, jest, ...forJest], { cwd: ROOT, stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running.kill(signal));
running.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

/** @returns the projects of a run that names none. Prints which projects and files are not run, and why */
function selected() {
  const isOnCitus = process.env.TEST_DATABASE_URL !== undefined;
  const wanted = args.includes(ALL) || hasFiles ? [...SHORT, ...LONG] : SHORT;
  const missing = isOnCitus ? notOnCitus.PROJECTS_NOT_ON_CITUS : {};
  if (wanted.includes('browser') && findChromium() === undefined) missing.browser ??= 'needs a Chromium';
  if (!hasFiles) {
    const files = isOnCitus ? { ...notOnCitus.FILES_NOT_ON_CITUS, ...notOnCitus.CASES_NOT_ON_CITUS } : {};
    const others = wanted === SHORT ? { [LONG.join(', ')]: 'npm run test:all does' } : {};
    const citus = isOnCitus ? {} : { citus: 'needs a cluster (TEST_DATABASE_URL)' };
    for (const [name, reason] of Object.entries({ ...missing, ...files, ...citus, ...others })) {
      say(`Not run: ${name}: ${reason}`);
    }
  }
  return [...wanted, ...(isOnCitus ? ['citus'] : [])].filter((project) => !(project in missing));
}
