import { open, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Appender, writeWhole } from '../common/files.js';
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
      const size = last?.sizes[index] ?? 0;
      const file = await open(join(folder, name), 'a', 0o600);
      await file.truncate(size);
      outputs.set(name, new Appender(file, size));
    }
    return new Checkpoints(folder, outputs, last);
  }

  path(output: Output): string {
    return join(this.folder, output);
  }

  async append(output: Output, line: string): Promise<void> {
    const appender = this.outputs.get(output);
    appender?.add(line);
    await appender?.drain();
  }

  async write(checkpoint: Omit<Checkpoint, 'sizes'>): Promise<void> {
    const sizes: number[] = [];
    for (const output of this.outputs.values()) sizes.push(await output.sync());
    await writeWhole(join(this.folder, 'checkpoint.json'), (file) => {
      file.add(JSON.stringify({ ...checkpoint, sizes }));
    });
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
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}
