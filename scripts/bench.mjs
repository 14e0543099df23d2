// npm run bench: measure; arguments go to bench/main.ts.
import { runBenchmark } from './run-benchmark.mjs';

await runBenchmark('main');
