// Runs a program of the benchmark, after installing and building whatever is missing or stale.
import { spawnSync } from 'node:child_process';
import { endWithNpm } from './npm-shell.mjs';
import { prepare } from './prepare.mjs';

/**
 * @param {string} module path below `bench` without extension; its `main` receives the arguments of this process
 * @param {() => void} build builds anything else that the program needs
 */
export async function runBenchmark(module, build = () => undefined) {
  const log = (sentence) => process.stderr.write(`${sentence}\n`);
  prepare(log);
  compile();
  build();
  endWithNpm();
  const { main } = await import(`../dist-bench/bench/${module}.js`);
  await main(process.argv.slice(2));
  // Otherwise unfinished work of an interrupted run would keep this process and its children alive.
  process.exit();
}

/** Compile the benchmark, and the code that it shares with the service and the tests, without type checks. */
function compile() {
  const swc = 'node_modules/@swc/cli/bin/swc.js';
  const options = [
    '--out-dir',
    'dist-bench',
    '--extensions',
    '.ts,.tsx',
    '--ignore',
    '**/*.spec.ts',
    '--quiet',
  ];
  const { status } = spawnSync(process.execPath, [swc, 'bench', 'src', 'test/support', ...options], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) process.exit(1);
}
