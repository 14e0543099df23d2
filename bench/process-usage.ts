import { readdir, readFile, writeFile } from 'node:fs/promises';

/**
 * What processes cost, as Linux tells it in /proc. On other systems there is nothing to read, and every answer is
 * `undefined`: the benchmark then shows rates and latencies only.
 */

/** The kernel counts processor time in hundredths of a second, whatever its own clock does. */
const TICKS_PER_SECOND = 100;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  /** Its own processor time so far. */
  readonly ownTicks: number;
  /** Processor time of children that have ended and were waited for. */
  readonly endedChildrenTicks: number;
}

/**
 * Processor time of a process and everything below it, ended children included, since it started.
 *
 * @returns seconds, in steps of 10 ms
 */
export async function cpuSeconds(root: number): Promise<number | undefined> {
  const family = await familyOf(root);
  if (family.length === 0) return undefined;
  const ticks = family.reduce(
    (sum, { ownTicks, endedChildrenTicks }) => sum + ownTicks + endedChildrenTicks,
    0,
  );
  return ticks / TICKS_PER_SECOND;
}

/** Begin to watch for the peak of {@link peakMemoryBytes} anew. */
export async function resetPeakMemory(root: number): Promise<void> {
  for (const { pid } of await familyOf(root)) {
    // A process that has just ended, or a kernel that does not offer this, leaves the older, higher peak standing.
    await writeFile(`/proc/${pid}/clear_refs`, '5').catch(() => undefined);
  }
}

/** Most resident memory since the last reset, of a process and everything below it. */
export function peakMemoryBytes(root: number): Promise<number | undefined> {
  return memoryBytes(root, 'VmHWM');
}

/** Resident memory now, of a process and everything below it. */
export function residentMemoryBytes(root: number): Promise<number | undefined> {
  return memoryBytes(root, 'VmRSS');
}

async function memoryBytes(root: number, field: string): Promise<number | undefined> {
  const family = await familyOf(root);
  if (family.length === 0) return undefined;
  let bytes = 0;
  for (const { pid } of family) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    bytes += Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
  }
  return bytes;
}

/** A process and everything below it that runs now. */
async function familyOf(root: number): Promise<Stat[]> {
  const running = await allRunning();
  const family = running.filter(({ pid }) => pid === root);
  for (const member of family) family.push(...running.filter(({ parent }) => parent === member.pid));
  return family;
}

async function allRunning(): Promise<Stat[]> {
  const entries = await readdir('/proc').catch(() => []);
  const stats = await Promise.all(entries.filter((name) => /^\d+$/.test(name)).map(readStat));
  return stats.filter((stat) => stat !== undefined);
}

/** @returns nothing for a process that has ended meanwhile */
async function readStat(name: string): Promise<Stat | undefined> {
  const line = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
  // The second field is the program's name in parentheses, and may hold anything; numbers follow the last parenthesis.
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
