import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { draftOf, writeWhole, WrongUsage } from '@data-import/files';

/** How often a holder shows that it is alive. */
const HEARTBEAT_MS = 5_000;

/** A holder on another machine or in another container that was not alive for so long has ended. */
const SILENT_MS = 30_000;

const NAME = /^lock\.(\d+)$/;

/** Who holds a lock. */
interface Holder {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  /** Names the set of processes in which `pid` means something: two containers have two. */
  readonly space: string;
  /** When the process started, since process ids are used again. */
  readonly started: string;
  readonly isReleased: boolean;
}

export interface Lock {
  readonly release: () => Promise<void>;
}

/**
 * A lock on a work folder that needs nothing but a file system in which a link can be made once only, which NFS is too.
 *
 * The lock is the file `lock.N` with the highest N. It is held while its process runs: on the same machine by process id and
 * start time, so that the lock of a killed process is free at once; elsewhere by a heartbeat, so that it is free after half
 * a minute. Whoever finds it free links `lock.N+1`, which only one can. The file with the highest N is never removed, so an
 * N is never used twice. A lock is complete whenever it has its name; one that cannot be read, since a machine lost power, is held
 * as one of another machine is.
 *
 * @param lost called when another process has taken the lock, which can happen only to a process that was stopped or cut off
 * from the file system for longer than half a minute
 * @throws WrongUsage when it is held
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
    // Whoever has just taken the lock has removed the draft.
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

/** @param draft a file written just now: its time is that of the file system, whatever this machine's clock says */
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

/** @returns nothing when the file cannot be read as a lock */
async function holderOf(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Give the lock the present time of its file system: the same bytes are written over themselves.
 *
 * @returns whether the lock is still this process's
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

/** In ascending order. */
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

/** @returns when a process started, as far as the system tells; nothing when it does not run */
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
    // It runs and belongs to someone else.
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? '' : undefined;
  }
}
