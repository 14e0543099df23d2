// npm run proof: install and build what is missing or stale, then prove a migration and damage it; arguments go to
// bench/proof.ts.
import { spawnSync } from 'node:child_process';
import { endWithNpm } from './npm-shell.mjs';
import { prepare, prepareBenchmark } from './prepare.mjs';

const log = (sentence) => process.stderr.write(`${sentence}\n`);
prepare(log);
prepareBenchmark(log);
const { status } = spawnSync(process.execPath, ['packages/loader/build.mjs'], { stdio: ['ignore', 2, 2] });
if (status !== 0) process.exit(1);
endWithNpm();
const { main } = await import('../dist-bench/bench/proof.js');
await main(process.argv.slice(2));
// Otherwise unfinished work of an interrupted run would keep this process and its children alive.
process.exit();
