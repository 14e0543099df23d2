import { existsSync } from 'node:fs';
import { cpuSeconds, peakMemoryBytes, residentMemoryBytes } from './process-usage.js';

const MEGABYTE = 1_048_576;
/** No process has this number: it is above the largest that Linux gives. */
const NOBODY = 2 ** 30;

describe('what processes cost', () => {
  it('is read where the system tells it, and is nothing elsewhere', async () => {
    const figures = [
      await cpuSeconds(process.pid),
      await residentMemoryBytes(process.pid),
      await peakMemoryBytes(process.pid),
    ];
    if (existsSync('/proc/self/stat')) {
      const [cpu, resident, peak] = figures as [number, number, number];
      expect(cpu).toBeGreaterThan(0);
      expect(resident).toBeGreaterThan(10 * MEGABYTE);
      expect(peak).toBeGreaterThanOrEqual(10 * MEGABYTE);
    } else {
      expect(figures).toEqual([undefined, undefined, undefined]);
    }
  });

  it('is nothing for a process that is not there', async () => {
    expect(await cpuSeconds(NOBODY)).toBeUndefined();
    expect(await peakMemoryBytes(NOBODY)).toBeUndefined();
  });
});
