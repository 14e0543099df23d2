/** Measures `sample`: time and resident memory. node …/bench/sample.js ACCOUNTS */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSample } from '../src/commands/sample.js';

const folder = mkdtempSync(join(tmpdir(), 'loader-bench-'));
try {
  const started = performance.now();
  const accounts = Number(process.argv[2] ?? '20000');
  const summary = await writeSample(folder, { accounts, seed: 1, bad: 50, order: 'grouped' });
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify(summary));
  console.log(
    `${((performance.now() - started) / 1_000).toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s processor time, at most ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MiB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
