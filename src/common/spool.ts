import { randomUUID } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './command-error.js';

/** Items that are kept in memory before they are written to the file together. */
const HELD_MAX = 10_000;

/**
 * A list of any length in constant memory: from 10,000 items on they are written to a temporary file with mode 0600. Fill
 * it, read it as often as needed, then dispose of it. By hand, because it writes synchronously, so that adding an item is
 * no asynchronous call; the streams of libraries do not offer that.
 *
 * @throws CommandError when the temporary folder cannot be written to
 */
export class Spool<Item> implements AsyncIterable<Item> {
  private held: Item[] = [];
  private file?: { readonly path: string; readonly descriptor: number };
  private count = 0;

  get length(): number {
    return this.count;
  }

  add(item: Item): void {
    this.held.push(item);
    this.count += 1;
    if (this.held.length === HELD_MAX) this.writeToFile();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    if (this.file) for await (const line of linesOf(this.file.path)) yield JSON.parse(line) as Item;
    yield* this.held;
  }

  /** Read it for the last time; it is disposed of, also when the reading stops early or fails. */
  async *drain(): AsyncGenerator<Item> {
    try {
      yield* this;
    } finally {
      this.dispose();
    }
  }

  /** Remove the temporary file, if there is one. */
  dispose(): void {
    if (!this.file) return;
    closeSync(this.file.descriptor);
    rmSync(this.file.path, { force: true });
    delete this.file;
  }

  private writeToFile(): void {
    const lines = this.held.map((item) => `${JSON.stringify(item)}\n`).join('');
    try {
      this.file ??= createFile();
      writeAll(this.file.descriptor, Buffer.from(lines));
    } catch (cause) {
      throw new CommandError(
        'temporary_folder_not_writable',
        `The temporary folder ${tmpdir()} cannot be written to: ${(cause as Error).message}. Name one with more room in TMPDIR.`,
        { cause },
      );
    }
    this.held = [];
  }
}

/** Splits at line feeds only, unlike readline: JSON text may contain the other line ends of Unicode unescaped. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  const chunks = createReadStream(path, { encoding: 'utf8' }) as AsyncIterable<string>;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function createFile(): { path: string; descriptor: number } {
  const path = join(tmpdir(), `data-import-${randomUUID()}.ndjson`);
  return { path, descriptor: openSync(path, 'wx', 0o600) };
}

/** One write may store only a part of the bytes. */
function writeAll(descriptor: number, bytes: Buffer): void {
  let written = 0;
  while (written < bytes.length) written += writeSync(descriptor, bytes, written);
}
