// Runs a program of the benchmark: installs and builds what is missing or stale first.
import { endWithNpm } from './npm-shell.mjs';
import { prepare, prepareBenchmark } from './prepare.mjs';

/**
 * @param {string} module below `bench`, without its extension; the arguments of this process go to its `main`
 * @param {() => void} build what else has to be built
 */
export async function runBenchmark(module, build = () => undefined) {
  const log = (sentence) => process.stderr.write(`${sentence}\n`);
  prepare(log);
  prepareBenchmark(log);
  build();
  endWithNpm();
  const { main } = await import(`../dist-bench/bench/${module}.js`);
  await main(process.argv.slice(2));
  // Otherwise unfinished work of an interrupted run would keep this process and its children alive.
  process.exit();
}
