// npm run reliability: inject faults under load and count the stored items; arguments go to bench/reliability.ts.
import { runBenchmark } from './run-benchmark.mjs';

await runBenchmark('reliability');
