import { readdir, readFile, writeFile } from 'node:fs/promises';

/**
 * Processor time and memory of processes, read from /proc on Linux. On other systems every result is NaN, and the benchmark
 * shows only rates and latencies.
 */

/** The unit of /proc, regardless of the frequency of the kernel's timer. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** The process's own processor time since its start. */
  readonly ownTicks: number;
  /** Processor time of children that have ended and been waited for. */
  readonly endedChildrenTicks: number;
}

/**
 * Processor time of a process and all its descendants, including ended children, since its start.
 *
 * @returns seconds, in steps of 10 ms
 */
export async function cpuSeconds(root: number): Promise<number> {
  const tree = await processTreeOf(root);
  if (tree.length === 0) return NaN;
  const ticks = tree.reduce(
    (sum, { ownTicks, endedChildrenTicks }) => sum + ownTicks + endedChildrenTicks,
    0,
  );
  return ticks / TICKS_PER_SECOND;
}

/** Resources that some work needed in a process; NaN where the system does not report them. */
export interface Usage {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Peak resident memory, and its growth compared with before the work. */
  readonly peakBytes: number;
  readonly growthBytes: number;
}

/** Do some work and measure the resources that a process and all its descendants need for it. */
export async function measureUsage<T>(
  root: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly usage: Usage }> {
  const bytesBefore = await residentMemoryBytes(root);
  await resetPeakMemory(root);
  const [cpuBefore, startedAt] = [await cpuSeconds(root), performance.now()];
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const [cpuAfter, peakBytes] = [await cpuSeconds(root), await peakMemoryBytes(root)];
  const usage = {
    seconds,
    cpuSeconds: cpuAfter - cpuBefore,
    peakBytes,
    growthBytes: peakBytes - bytesBefore,
  };
  return { result, usage };
}

/** Reset the peak that {@link peakMemoryBytes} returns. */
export async function resetPeakMemory(root: number): Promise<void> {
  for (const { pid } of await processTreeOf(root)) {
    // If the process has just ended or the kernel does not support this, the earlier, higher peak remains.
    await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
  }
}

/** Peak resident memory since the last reset, of a process and all its descendants. */
export function peakMemoryBytes(root: number): Promise<number> {
  return memoryBytes(root, 'VmHWM');
}

/** Current resident memory of a process and all its descendants. */
export function residentMemoryBytes(root: number): Promise<number> {
  return memoryBytes(root, 'VmRSS');
}

async function memoryBytes(root: number, field: string): Promise<number> {
  const tree = await processTreeOf(root);
  if (tree.length === 0) return NaN;
  let bytes = 0;
  for (const { pid } of tree) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    bytes += Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  }
  return bytes;
}

/** A process and all its running descendants. */
async function processTreeOf(root: number): Promise<Stat[]> {
  const running = await allProcesses();
  const tree = running.filter(({ pid }) => pid === root);
  for (const member of tree) tree.push(...running.filter(({ parent }) => parent === member.pid));
  return tree;
}

async function allProcesses(): Promise<Stat[]> {
  const entries = await readdir('/proc').catch(() => []);
  const stats = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map(readStat));
  return stats.filter((stat) => stat !== undefined);
}

/** @returns `undefined` when the process has ended */
async function readStat(name: string): Promise<Stat | undefined> {
  const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses and may contain any character, including parentheses.
  const fields = line
    .slice(line.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent, userTicks, systemTicks, endedUserTicks, endedSystemTicks] = [1, 11, 12, 13, 14].map(
    (index) => fields[index] ?? NaN,
  ) as [number, number, number, number, number];
  if (Number.isNaN(endedSystemTicks)) return undefined;
  return {
    pid: Number(name),
    parent,
    ownTicks: userTicks + systemTicks,
    endedChildrenTicks: endedUserTicks + endedSystemTicks,
  };
}
