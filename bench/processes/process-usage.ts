import { readdir, readFile, writeFile } from 'node:fs/promises';

/**
 * Processor time and memory of processes, read from /proc on Linux. On other systems every result is NaN, and the
 * benchmark shows rates and latencies only.
 */

/** The unit of /proc, whatever the frequency of the kernel's own timer. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Its own processor time since it started. */
  readonly ownTicks: number;
  /** Processor time of children that have ended and were waited for. */
  readonly endedChildrenTicks: number;
}

/**
 * Processor time of a process and all its descendants, ended children included, since it started.
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

/** What some work needed of a process; what the system does not report is NaN. */
export interface Usage {
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** Resident memory: the most, and how much more that is than before. */
  readonly peakBytes: number;
  readonly growthBytes: number;
}

/** Do some work and measure what a process and all its descendants need for it. */
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

/** Reset what {@link peakMemoryBytes} returns. */
export async function resetPeakMemory(root: number): Promise<void> {
  for (const { pid } of await processTreeOf(root)) {
    // If the process has just ended, or the kernel does not support this, the earlier and higher peak remains.
    await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
  }
}

/** Peak resident memory since the last reset, of a process and all its descendants. */
export function peakMemoryBytes(root: number): Promise<number> {
  return memoryBytes(root, 'VmHWM');
}

/** Resident memory now, of a process and all its descendants. */
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

/** A process and all its descendants that run now. */
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
  // The second field is the program's name in parentheses and may contain any character, parentheses too.
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
