// npm test: install and build when needed, then run every test; arguments go to Jest.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithNpm } from './npm-shell.mjs';
import { ROOT, prepare } from './prepare.mjs';

prepare((sentence) => process.stderr.write(`${sentence}\n`));
endWithNpm();
const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
const running = spawn(process.execPath, [...flags, jest, ...process.argv.slice(2)], {
  cwd: ROOT,
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => running.kill(signal));
running.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
