// npm run proof: prove a migration and damage it; arguments go to bench/proof/main.ts.
import { spawnSync } from 'node:child_process';
import { runBenchmark } from './run-benchmark.mjs';

await runBenchmark('proof/main', () => {
  const { status } = spawnSync(process.execPath, ['packages/loader/build.mjs'], { stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(1);
});
