// npm run bench: install and build when needed, the benchmark too, then measure; arguments go to bench/main.ts.
import { endWithNpm } from './npm-shell.mjs';
import { prepare, prepareBenchmark } from './prepare.mjs';

const say = (sentence) => process.stderr.write(`${sentence}\n`);
prepare(say);
prepareBenchmark(say);
endWithNpm();
const { main } = await import('../dist-bench/bench/main.js');
await main(process.argv.slice(2));
// What an interrupted run left unfinished must not keep this process, and its children with it, alive.
process.exit();
