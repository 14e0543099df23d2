import { setImmediate as othersFirst } from 'node:timers/promises';
import { TemporaryFile } from '../../infrastructure/files/temporary-file.js';

/** More lines than this are divided into groups, so that sorting does not block the event loop. */
const UNDIVIDED_MAX = 10_000;
/** Lines are grouped by this many first characters. Two characters of a digest make 256 groups of about the same size. */
const PREFIX_LENGTH = 2;

/** A part of the file, in bytes. */
interface Part {
  readonly offset: number;
  readonly length: number;
}

/** Lines with the same prefix. */
interface Group {
  held: string[];
  /** Where the group's other lines are in the file. */
  readonly written: Part[];
}

/**
 * Lines that begin with a digest, read back in ascending order. When there are many, only some are in memory, and the rest
 * is in a temporary file. Call {@link clear} after the last use.
 */
export class SortedLines {
  private readonly groups = new Map<string, Group>();
  private isDivided = false;
  private heldLength = 0;
  private file: TemporaryFile | undefined;
  private count = 0;

  /**
   * @param heldMax characters that are kept in memory
   * @param beforeFile called before the file is created; an error that it throws ends {@link add}
   */
  constructor(
    private heldMax: number,
    private readonly beforeFile?: () => void,
  ) {}

  get length(): number {
    return this.count;
  }

  /** @throws the error of the file system when the temporary folder cannot be written to */
  add(line: string): void {
    this.put(line);
    this.count += 1;
    this.heldLength += line.length;
    if (!this.isDivided && this.count > UNDIVIDED_MAX) this.divide();
    if (this.heldLength > this.heldMax) this.writeToFile();
  }

  /** Keep at most this many characters in memory from now on. @throws as {@link add} */
  limit(heldMax: number): void {
    this.heldMax = heldMax;
    if (this.heldLength > heldMax) this.writeToFile();
  }

  /** All lines in ascending order, in lists that must not be changed. */
  async *sorted(): AsyncGenerator<string[], void, undefined> {
    const groups = [...this.groups].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [, { held, written }] of groups) {
      if (this.isDivided) await othersFirst();
      // Sorted in place, since lines may be read twice and sorting a sorted list takes no time.
      held.sort();
      if (written.length === 0) {
        yield held;
        continue;
      }
      const lines = [...held];
      for (const part of written) lines.push(...(await this.writtenLines(part)));
      yield lines.sort();
    }
  }

  /** Remove all lines, and the file. */
  clear(): void {
    this.groups.clear();
    [this.isDivided, this.count, this.heldLength] = [false, 0, 0];
    this.file?.close();
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
    if (!this.file) this.beforeFile?.();
    this.file ??= new TemporaryFile();
    for (const group of this.groups.values()) {
      if (group.held.length === 0) continue;
      const bytes = Buffer.from(group.held.join('\n'));
      group.written.push({ offset: this.file.length, length: bytes.length });
      this.file.append(bytes);
      group.held = [];
    }
    this.heldLength = 0;
  }
}
