import { open, readFile, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tally } from './result.js';

/** How far a comparison has come. */
export interface Checkpoint {
  /** What it compares: another comparison does not continue it. */
  readonly target: string;
  /** The account that was compared last; every account before it was. */
  readonly after: string;
  /** Position in the file with entries. */
  readonly entries: number;
  readonly accounts: Tally;
  readonly rows: Tally;
  readonly changed: number;
  /** Bytes of each output. */
  readonly sizes: readonly number[];
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  readonly status: string;
}

/** Files that a comparison writes line by line: the lines of both digests (choice V4), and what differs. */
const OUTPUTS = ['digest-lines', 'service-digest-lines', 'differences'] as const;

type Output = (typeof OUTPUTS)[number];

const BUFFER_CHARACTERS = 65_536;

/**
 * What a comparison that was interrupted continues from. The outputs are cut to what the checkpoint says, which is written behind
 * them: a process that is killed repeats some accounts and counts none twice.
 */
export class Checkpoints {
  private constructor(
    private readonly folder: string,
    private readonly outputs: ReadonlyMap<Output, Appender>,
    /** Where the last comparison was interrupted. */
    readonly last: Checkpoint | undefined,
  ) {}

  /** @param target of the comparison that begins @param isNew whether none is continued */
  static async open(folder: string, target: string, isNew: boolean): Promise<Checkpoints> {
    const found = isNew ? undefined : await readCheckpoint(folder);
    let last = found?.target === target ? found : undefined;
    const sizes = await Promise.all(OUTPUTS.map((name) => sizeOf(join(folder, name))));
    if (last?.sizes.some((size, index) => (sizes[index] ?? 0) < size)) last = undefined;
    if (!last) await rm(join(folder, 'checkpoint.json'), { force: true });
    const outputs = new Map<Output, Appender>();
    for (const [index, name] of OUTPUTS.entries()) {
      outputs.set(name, await Appender.open(join(folder, name), last?.sizes[index] ?? 0));
    }
    return new Checkpoints(folder, outputs, last);
  }

  path(output: Output): string {
    return join(this.folder, output);
  }

  async append(output: Output, line: string): Promise<void> {
    await this.outputs.get(output)?.append(line);
  }

  async write(checkpoint: Omit<Checkpoint, 'sizes'>): Promise<void> {
    const sizes: number[] = [];
    for (const output of this.outputs.values()) sizes.push(await output.sync());
    const path = join(this.folder, 'checkpoint.json');
    const file = await open(`${path}.new`, 'w', 0o600);
    try {
      await file.writeFile(JSON.stringify({ ...checkpoint, sizes }));
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
  }

  /** Write what is left. */
  async flush(): Promise<void> {
    for (const output of this.outputs.values()) await output.flush();
  }

  async close(): Promise<void> {
    for (const output of this.outputs.values()) await output.close();
  }

  /** The comparison has ended: the next one begins anew. */
  async remove(): Promise<void> {
    await rm(join(this.folder, 'checkpoint.json'), { force: true });
    await Promise.all(OUTPUTS.map((name) => rm(join(this.folder, name), { force: true })));
  }
}

/** @returns undefined where there is none, or one that was not written by this version */
async function readCheckpoint(folder: string): Promise<Checkpoint | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, 'checkpoint.json'), 'utf8')) as Checkpoint;
  } catch (error) {
    const isNone = error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (isNone) return undefined;
    throw error;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    const file = await open(path, 'r');
    try {
      return (await file.stat()).size;
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

/** Appends lines to a file, many at a time. */
class Appender {
  private text = '';

  private constructor(
    private readonly file: FileHandle,
    private size: number,
  ) {}

  /** @param size to which the file is cut first */
  static async open(path: string, size: number): Promise<Appender> {
    const file = await open(path, 'a', 0o600);
    await file.truncate(size);
    return new Appender(file, size);
  }

  async append(line: string): Promise<void> {
    this.text += line;
    if (this.text.length >= BUFFER_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.text);
    this.text = '';
    if (bytes.length === 0) return;
    await this.file.appendFile(bytes);
    this.size += bytes.length;
  }

  /** @returns bytes that the disk has */
  async sync(): Promise<number> {
    await this.flush();
    await this.file.datasync();
    return this.size;
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}
