import { setImmediate as othersFirst } from 'node:timers/promises';
import { AppError } from '../common/errors.js';
import { TemporaryFile } from '../common/temporary-file.js';

/** From so many lines on they are divided, so that sorting them holds nobody up. */
const UNDIVIDED_MAX = 10_000;
/** The first characters by which lines are divided; of a digest they make 256 groups of about the same size. */
const PREFIX_LENGTH = 2;

/** All temporary files of a process together have at most so many bytes, so that no client fills the disk. */
const WRITTEN_LENGTH_MAX = 1024 ** 3;
let writtenLength = 0;

/** A part of the file, in bytes. */
interface Part {
  readonly offset: number;
  readonly length: number;
}

/** Lines with the same beginning. */
interface Group {
  held: string[];
  /** Where others are in the file. */
  readonly written: Part[];
}

/**
 * Lines that begin with a digest, read back in ascending order. Of many lines only a part is in memory: the rest is in a
 * temporary file. Clear it after the last use.
 */
export class SortedLines {
  private readonly groups = new Map<string, Group>();
  private isDivided = false;
  private heldLength = 0;
  private file: TemporaryFile | undefined;
  private count = 0;

  /**
   * @param heldMax characters that are kept in memory
   * @param writtenMax bytes that the temporary files of the process may have together
   */
  constructor(
    private readonly heldMax: number,
    private readonly writtenMax = WRITTEN_LENGTH_MAX,
  ) {}

  get length(): number {
    return this.count;
  }

  /**
   * @throws AppError `service_unavailable` when the temporary files of the process would be too large
   * @throws the error of the file system when the temporary folder cannot be written to
   */
  add(line: string): void {
    this.put(line);
    this.count += 1;
    this.heldLength += line.length;
    if (!this.isDivided && this.count > UNDIVIDED_MAX) this.divide();
    if (this.heldLength > this.heldMax) this.writeToFile();
  }

  /** All lines in ascending order, in lists. */
  async *sorted(): AsyncGenerator<string[], void, undefined> {
    const groups = [...this.groups].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, { held, written }] of groups) {
      if (this.isDivided) await othersFirst();
      const lines = [...held];
      for (const part of written) lines.push(...(await this.writtenLines(part)));
      yield lines.sort();
    }
  }

  /** Remove all lines, and the file. */
  clear(): void {
    this.groups.clear();
    [this.isDivided, this.count, this.heldLength] = [false, 0, 0];
    if (!this.file) return;
    this.file.close();
    writtenLength -= this.file.length;
    this.file = undefined;
  }

  private async writtenLines({ offset, length }: Part): Promise<string[]> {
    if (!this.file) throw new Error('The lines were removed while they were read.');
    const bytes = await this.file.read(offset, length);
    return bytes.toString('utf8').split('\n');
  }

  private put(line: string): void {
    const prefix = this.isDivided ? line.slice(0, PREFIX_LENGTH) : '';
    const group = this.groups.get(prefix);
    if (group) group.held.push(line);
    else this.groups.set(prefix, { held: [line], written: [] });
  }

  private divide(): void {
    this.isDivided = true;
    const lines = this.groups.get('')?.held ?? [];
    this.groups.delete('');
    for (const line of lines) this.put(line);
  }

  private writeToFile(): void {
    if (!this.isDivided) this.divide();
    this.file ??= new TemporaryFile();
    for (const group of this.groups.values()) {
      if (group.held.length === 0) continue;
      const bytes = Buffer.from(group.held.join('\n'));
      if (writtenLength + bytes.length > this.writtenMax) throw new AppError('service_unavailable');
      group.written.push({ offset: this.file.length, length: bytes.length });
      this.file.append(bytes);
      group.held = [];
      writtenLength += bytes.length;
    }
    this.heldLength = 0;
  }
}
