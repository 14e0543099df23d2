// npm run reliability: install and build what is missing or stale, then make faults under load and count what is stored;
// arguments go to bench/reliability.ts.
import { endWithNpm } from './npm-shell.mjs';
import { prepare, prepareBenchmark } from './prepare.mjs';

const log = (sentence) => process.stderr.write(`${sentence}\n`);
prepare(log);
prepareBenchmark(log);
endWithNpm();
const { main } = await import('../dist-bench/bench/reliability.js');
await main(process.argv.slice(2));
// Otherwise unfinished work of an interrupted run would keep this process and its children alive.
process.exit();
