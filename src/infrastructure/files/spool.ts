import { tmpdir } from 'node:os';
import { StringDecoder } from 'node:string_decoder';
import { CommandError } from '../errors/command-error.js';
import { TemporaryFile } from './temporary-file.js';
import { systemReason } from '../config/system-reason.js';

/** Number of items kept in memory before they are written to the file together. */
const BUFFERED_MAX = 10_000;

/**
 * A list of any length in constant memory: beyond a number of items, they are written to a temporary file. Fill it, read it as
 * often as needed, then dispose of it.
 *
 * @throws CommandError if the temporary folder cannot be written to
 */
export class Spool<Item> implements AsyncIterable<Item> {
  private buffered: Item[] = [];
  private file: TemporaryFile | undefined;
  private count = 0;

  constructor(private readonly bufferedMax = BUFFERED_MAX) {}

  get length(): number {
    return this.count;
  }

  add(item: Item): void {
    this.buffered.push(item);
    this.count += 1;
    if (this.buffered.length === this.bufferedMax) this.writeToFile();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item> {
    if (this.file) for await (const line of linesOf(this.file)) yield JSON.parse(line) as Item;
    yield* this.buffered;
  }

  /** Read the list for the last time. It is disposed of at the end, even if the reading stops early or fails. */
  async *drain(): AsyncGenerator<Item> {
    try {
      yield* this;
    } finally {
      this.dispose();
    }
  }

  /** Remove the temporary file, if there is one. */
  dispose(): void {
    this.file?.close();
    this.file = undefined;
  }

  private writeToFile(): void {
    const lines = this.buffered.map((item) => `${JSON.stringify(item)}\n`).join('');
    this.file = appended(this.file, Buffer.from(lines));
    this.buffered = [];
  }
}

/**
 * Append bytes to a temporary file.
 *
 * @param file undefined for a new one
 * @throws CommandError if the temporary folder cannot be written to
 */
export function appended(file: TemporaryFile | undefined, bytes: Buffer): TemporaryFile {
  try {
    const written = file ?? new TemporaryFile();
    written.append(bytes);
    return written;
  } catch (cause) {
    throw new CommandError(
      'temporary_folder_not_writable',
      `The temporary folder ${tmpdir()} cannot be written to: ${systemReason(cause)}. Name one with more room in TMPDIR.`,
      { cause },
    );
  }
}

/** Splits at line feeds only, unlike readline: JSON text may contain Unicode's other line ends unescaped. */
async function* linesOf(file: TemporaryFile): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of file.chunks()) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
