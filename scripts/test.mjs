// npm test: install and build when needed, then run the tests; arguments go to Jest. `--project=NAME` runs one project.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './npm-shell.mjs';
import { ROOT, prepare } from './prepare.mjs';
import { findChromium } from '../test/support/chromium.mjs';
import * as notOnCitus from '../test/support/not-on-citus.mjs';

const say = (sentence) => process.stderr.write(`${sentence}\n`);
const PROJECT = /^--project=(.+)$/;

prepare(say);
endWithNpm();
const args = process.argv.slice(2);
const projects = args.flatMap((arg) => PROJECT.exec(arg)?.[1] ?? []);
const forJest = args.filter((arg) => !PROJECT.test(arg));
const isOnCitus = process.env.TEST_DATABASE_URL !== undefined;
const isDefault = projects.length === 0 && !args.some((arg) => arg.startsWith('--selectProjects'));
const hasBrowser = findChromium() !== undefined;
const left = isOnCitus
  ? Object.keys(notOnCitus.PROJECTS_NOT_ON_CITUS)
  : ['citus', 'nodes', 'soak', ...(hasBrowser ? [] : ['browser'])];
// Last, because Jest reads whatever follows as the name of a project.
forJest.push(...(isDefault ? ['--ignoreProjects', ...left] : []));
forJest.push(...(projects.length > 0 ? ['--selectProjects', ...projects] : []));

const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
// The service sets it for itself (src/documents/s3-document-store.ts); within Jest its environment is a copy.
const env = { ...process.env, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' };
if (isDefault && args.every((arg) => arg.startsWith('-'))) sayWhatIsLeft();
const running = spawn(process.execPath, [...flags, jest, ...forJest], { cwd: ROOT, stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running.kill(signal));
running.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

function sayWhatIsLeft() {
  if (isOnCitus) {
    say('Not run on Citus:');
    const reasons = Object.values(notOnCitus).flatMap(Object.entries);
    for (const [name, reason] of reasons) say(`  ${name}: ${reason}`);
  } else {
    if (!hasBrowser) say('browser: not run, because no Chromium is installed (see CONTRIBUTING.md).');
    say('Not run: the soak tests, which take minutes (npm run test:soak).');
    say('Not run: the tests on Citus, which need a cluster (TEST_DATABASE_URL, see CONTRIBUTING.md).');
  }
}
