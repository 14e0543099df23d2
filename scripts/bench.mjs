// npm run bench: run the benchmark; arguments go to bench/main.ts.
import { runBenchmark } from './run-benchmark.mjs';

await runBenchmark('main');
