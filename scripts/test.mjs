// npm test: install and build when needed, then run the tests; arguments go to Jest. `--project=NAME` runs one project.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './npm-shell.mjs';
import { ROOT, prepare } from './prepare.mjs';

const say = (sentence) => process.stderr.write(`${sentence}\n`);
const PROJECT = /^--project=(.+)$/;

prepare(say);
endWithNpm();
const args = process.argv.slice(2);
const selected = args.flatMap((arg) => PROJECT.exec(arg)?.[1] ?? []);
const own = args.filter((arg) => !PROJECT.test(arg));
const isEverything = selected.length === 0 && !own.some((arg) => arg.startsWith('--selectProjects'));
// Last, because Jest takes whatever follows for the name of a project.
if (selected.length > 0) own.push('--selectProjects', ...selected);
else if (isEverything) own.push('--ignoreProjects', 'soak');

const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const running = spawn(process.execPath, [...flags, jest, ...own], { cwd: ROOT, stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running.kill(signal));
running.on('exit', (code) => {
  if (isEverything) say('Not run: the soak tests, which take minutes (npm run test:soak).');
  process.exitCode = code ?? 1;
});
