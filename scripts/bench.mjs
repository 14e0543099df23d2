// npm run bench: install and build what is missing or stale, then measure; arguments go to bench/main.ts.
import { endWithNpm } from './npm-shell.mjs';
import { prepare, prepareBenchmark } from './prepare.mjs';

const log = (sentence) => process.stderr.write(`${sentence}\n`);
prepare(log);
prepareBenchmark(log);
endWithNpm();
const { main } = await import('../dist-bench/bench/main.js');
await main(process.argv.slice(2));
// Otherwise unfinished work of an interrupted run would keep this process and its children alive.
process.exit();
