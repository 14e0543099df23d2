import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { draftOf, writeWhole, WrongUsage } from '@data-import/files';

/** The interval at which a holder shows that it is alive. */
const HEARTBEAT_MS = 5_000;

/** The time without a heartbeat after which a holder on another machine or in another container counts as ended. */
const SILENT_MS = 30_000;

const NAME = /^lock\.(\d+)$/;

/** The holder of a lock. */
interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** The set of processes among which `pid` is unique. Two containers have different sets. */
  readonly space: string;
  /** The start time of the process, because process ids are reused. */
  readonly started: string;
  readonly isReleased: boolean;
}

export interface Lock {
  readonly release: () => Promise<void>;
}

/**
 * Lock a work folder. The only requirement is a file system on which the same link can be created only once; NFS fulfils
 * it.
 *
 * The lock is the file `lock.N` with the highest N. It is held while its process runs. On the same machine this is
 * decided by process id and start time, so the lock of a killed process is free at once. On another machine it is
 * decided by a heartbeat, so the lock is free after half a minute. A process that finds the lock free links `lock.N+1`,
 * and only one process can succeed. The file with the highest N is never removed, so no N is used twice.
 *
 * A lock file is complete from the moment it has its name. A lock file that cannot be read, because a machine lost
 * power, is treated like that of another machine.
 *
 * @param lost called when another process has taken the lock. This can happen only if this process was stopped or cut
 * off from the file system for longer than half a minute
 * @throws WrongUsage if the lock is held
 */
export async function lockFolder(folder: string, lost: () => void): Promise<Lock> {
  const { pid } = process;
  const host = { host: hostname(), space: processSpace() };
  const own: Holder = { id: randomUUID(), pid, ...host, started: startOf(pid) ?? '', isReleased: false };
  const draft = draftOf(join(folder, own.id));
  await writeFile(draft, JSON.stringify(own), { mode: 0o600, flush: true });
  let number: number;
  try {
    number = await takeNumber(folder, draft, own);
  } catch (error) {
    // The draft is missing: the process that has just taken the lock has removed it.
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? inUse('has just begun') : error;
  } finally {
    await rm(draft, { force: true });
  }
  const path = join(folder, `lock.${number}`);
  let beating = Promise.resolve();
  const heartbeat = setInterval(() => {
    beating = beating
      .then(() => beat(folder, path, number, own))
      .then((isHeld) => {
        if (!isHeld) lost();
      }, lost);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    release: async () => {
      clearInterval(heartbeat);
      await beating;
      await writeWhole(path, (file) => {
        file.add(JSON.stringify({ ...own, isReleased: true }));
      });
    },
  };
}

async function takeNumber(folder: string, draft: string, own: Holder): Promise<number> {
  const numbers = await numbersIn(folder);
  const highest = numbers.at(-1) ?? 0;
  if (highest > 0) await requireFree(join(folder, `lock.${highest}`), draft, own);
  try {
    await link(draft, join(folder, `lock.${highest + 1}`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw inUse('has just begun');
    throw error;
  }
  for (const older of numbers) await rm(join(folder, `lock.${older}`), { force: true });
  return highest + 1;
}

/** @param draft a file that was written just now. Its time is that of the file system, whatever this machine's clock says */
async function requireFree(path: string, draft: string, own: Holder): Promise<void> {
  const holder = await holderOf(path);
  if (holder?.isReleased) return;
  if (holder?.host === own.host && holder.space === own.space) {
    if (startOf(holder.pid) === holder.started) throw inUse(`runs as process ${holder.pid}`);
    return;
  }
  const [now, last] = [(await stat(draft)).mtimeMs, (await stat(path)).mtimeMs];
  if (now - last >= SILENT_MS) return;
  throw inUse(
    holder
      ? `runs as process ${holder.pid} on ${holder.host}; if it was ended there, wait half a minute`
      : `left a lock that cannot be read, ${basename(path)}; if it has ended, wait half a minute`,
  );
}

function inUse(who: string): WrongUsage {
  return new WrongUsage(
    `Another data-import-loader works on this folder: it ${who}. Wait until it ends; \`status\` says how far it has come.`,
  );
}

/** @returns undefined if the file cannot be read as a lock */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Update the time of the lock file by writing the same bytes again.
 *
 * @returns whether this process still holds the lock
 */
async function beat(folder: string, path: string, number: number, own: Holder): Promise<boolean> {
  if ((await numbersIn(folder)).at(-1) !== number) return false;
  const file = await open(path, 'r+');
  try {
    await file.write(JSON.stringify(own), 0);
  } finally {
    await file.close();
  }
  return true;
}

/** The numbers of the locks, in ascending order. */
async function numbersIn(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .flatMap((name) => Number(NAME.exec(name)?.[1] ?? []))
    .filter((n) => n > 0)
    .toSorted((a, b) => a - b);
}

function processSpace(): string {
  try {
    // Restarting a machine begins a new set of processes too.
    return `${readlinkSync('/proc/self/ns/pid')} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return '';
  }
}

/** @returns the start time of a process, if the system reports it; undefined if the process does not run */
function startOf(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may have any characters; field 3 follows it, field 22 is the start time.
    const [state, ...fields] = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch {
    if (process.platform === 'linux') return undefined;
  }
  try {
    process.kill(pid, 0);
    return '';
  } catch (error) {
    // The process runs and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined;
  }
}
