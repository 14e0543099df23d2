import { existsSync } from 'node:fs';
import { cpuSeconds, peakMemoryBytes, residentMemoryBytes } from './process-usage.js';

const MEGABYTE = 1_048_576;
/** Above the largest process id that Linux assigns. */
const UNUSED_PID = 2 ** 30;

describe('the usage of a process', () => {
  it('is read where the system reports it, and is NaN elsewhere', async () => {
    const usage = [
      await cpuSeconds(process.pid),
      await residentMemoryBytes(process.pid),
      await peakMemoryBytes(process.pid),
    ];
    if (existsSync('/proc/self/stat')) {
      const [cpu, resident, peak] = usage;
      expect(cpu).toBeGreaterThan(0);
      expect(resident).toBeGreaterThan(10 * MEGABYTE);
      expect(peak).toBeGreaterThanOrEqual(10 * MEGABYTE);
    } else {
      expect(usage).toEqual([NaN, NaN, NaN]);
    }
  });

  it('is NaN for a process that does not exist', async () => {
    expect(await cpuSeconds(UNUSED_PID)).toBeNaN();
    expect(await peakMemoryBytes(UNUSED_PID)).toBeNaN();
  });
});
