import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { CannotWrite, WrongUsage } from './errors.js';
import { codeOf, oddityOf, whyOf } from './system-error.js';

const BUFFERED_MAX = 262_144;

/** The suffix of every file that is not complete. */
const DRAFT = '.new';

/** Appends to a file in large blocks. */
export class Appender {
  private parts: Buffer[] = [];
  private waiting = 0;

  constructor(readonly file: FileHandle) {}

  add(data: string | Buffer): void {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data;
    this.parts.push(bytes);
    this.waiting += bytes.length;
  }

  /** Whether enough data is buffered for a write. */
  get isFull(): boolean {
    return this.waiting >= BUFFERED_MAX;
  }

  /** Write the buffered data if there is enough of it. */
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
 * A file that appears under its name only when it is complete and stored on disk, so it survives a crash of the machine.
 * Until then it is `NAME.new` in the same folder. The mode is 0600.
 *
 * If the process is killed, the incomplete file remains until the folder is opened again; see {@link isDraft}.
 */
export class WholeFile extends Appender {
  private constructor(
    private readonly path: string,
    file: FileHandle,
  ) {
    super(file);
  }

  /** @throws CannotWrite, like all methods of this class */
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

  /** Remove the file if it was not completed. Callers must call this in every case. */
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

/** Write a file as a whole or not at all, see {@link WholeFile}. */
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

/** Store a changed name in a folder on disk. Some systems cannot open a folder; they store the name without this. */
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

/**
 * The names of the files in a folder; none if the folder does not exist.
 *
 * @throws WrongUsage if the folder contains a pipe or a device
 */
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

/** Remove the files of a folder that `isOne` selects. The folder need not exist. */
export async function removeFiles(folder: string, isOne: (name: string) => boolean): Promise<void> {
  for (const name of (await namesIn(folder)).filter(isOne)) await rm(join(folder, name), { force: true });
}

/** The path of a file until it is complete. */
export function draftOf(path: string): string {
  return path + DRAFT;
}

/** Whether a file is incomplete. A killed process leaves such files. */
export function isDraft(name: string): boolean {
  return name.endsWith(DRAFT);
}

/** @throws WrongUsage if the file exists, so that no data is overwritten, or if it cannot be created */
export async function openNew(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx');
  } catch (error) {
    const help = codeOf(error) === 'EEXIST' ? ' Remove it, or choose another name.' : '';
    throw new WrongUsage(`${path} cannot be written: ${whyOf(error)}.${help}`, { cause: error });
  }
}
