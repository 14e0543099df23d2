import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CannotWrite, WrongUsage } from './errors.js';
import { codeOf, oddityOf, whyOf } from './system-error.js';

const BUFFERED_MAX = 262_144;

/** What the name of every file ends with that is not complete. */
const DRAFT = '.new';

/** Appends to a file, much at a time. */
export class Appender {
  private parts: Buffer[] = [];
  private waiting = 0;

  constructor(readonly file: FileHandle) {}

  add(data: string | Buffer): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.parts.push(bytes);
    this.waiting += bytes.length;
  }

  /** Whether much waits to be written. */
  get isFull(): boolean {
    return this.waiting >= BUFFERED_MAX;
  }

  /** Write what was added, unless it is little. */
  async drain(): Promise<void> {
    if (this.isFull) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.concat(this.parts);
    this.parts = [];
    this.waiting = 0;
    if (bytes.length > 0) await this.file.appendFile(bytes);
  }
}

/**
 * A file that has its name only when it is complete, and survives a crash of the machine then; until then `NAME.new` beside it.
 * What a killed process leaves of it is removed when the folder is opened again, see {@link isDraft}. Mode 0600.
 */
export class WholeFile extends Appender {
  private constructor(
    private readonly path: string,
    file: FileHandle,
  ) {
    super(file);
  }

  /** @throws CannotWrite, as all its methods */
  static async create(path: string): Promise<WholeFile> {
    return new WholeFile(path, await keeping(path, open(draftOf(path), 'w', 0o600)));
  }

  override flush(): Promise<void> {
    return keeping(this.path, super.flush());
  }

  complete(): Promise<void> {
    return keeping(this.path, this.rename());
  }

  private async rename(): Promise<void> {
    await this.flush();
    await this.file.datasync();
    await this.file.close();
    await rename(draftOf(this.path), this.path);
    await syncFolder(dirname(this.path));
  }

  /** To be called in any case: removes what was not completed. */
  async discard(): Promise<void> {
    await this.file.close();
    await rm(draftOf(this.path), { force: true });
  }
}

/** @throws CannotWrite for an error of the system */
async function keeping<Result>(path: string, writing: Promise<Result>): Promise<Result> {
  try {
    return await writing;
  } catch (error) {
    throw error instanceof CannotWrite ? error : new CannotWrite(path, error);
  }
}

/** Write a file whole or not at all, see {@link WholeFile}. */
export async function writeWhole(
  path: string,
  write: (file: WholeFile) => Promise<void> | void,
): Promise<void> {
  const file = await WholeFile.create(path);
  try {
    await write(file);
    await file.complete();
  } finally {
    await file.discard();
  }
}

/** Keep the change of a name in a folder. Some systems cannot open a folder, and keep it anyway. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder).catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (!['EINVAL', 'EPERM', 'EISDIR'].includes(codeOf(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

/** Names of a folder's files; none where it does not exist. @throws WrongUsage for a pipe or a device among them */
export async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  for (const entry of entries) {
    const is = entry.isFile() || entry.isDirectory() ? undefined : await oddityOf(join(folder, entry.name));
    if (is !== undefined) throw new WrongUsage(`${join(folder, entry.name)} is ${is}. Remove it.`);
  }
  return entries.map(({ name }) => name).sort();
}

/** Remove files of a folder, which need not exist, by their names. */
export async function removeFiles(folder: string, isOne: (name: string) => boolean): Promise<void> {
  for (const name of (await namesIn(folder)).filter(isOne)) await rm(join(folder, name), { force: true });
}

/** The path of a file until it is complete. */
export function draftOf(path: string): string {
  return path + DRAFT;
}

/** Whether a file is not complete: after a process was killed such files are left. */
export function isDraft(name: string): boolean {
  return name.endsWith(DRAFT);
}

/** @throws WrongUsage when the file exists, so that nobody's data is overwritten, or cannot be made */
export async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    throw new WrongUsage(`${path} cannot be written: ${whyOf(error)}.`, { cause: error });
  }
}
