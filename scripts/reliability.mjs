// npm run reliability: make faults under load and count what is stored; arguments go to bench/reliability.ts.
import { runBenchmark } from './run-benchmark.mjs';

await runBenchmark('reliability');
