import { UnreadableInput } from '../common/errors.js';
import { countLineFeeds, type BlockReader } from '../text/blocks.js';
import {
  afterSpace,
  afterValue,
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  failedAt,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  stringAt,
} from '../text/json-scanner.js';

/** The longest value that is held in memory. A record is held with all of its lists, including those that are not read. */
const VALUE_BYTES_MAX = 67_108_864;

/**
 * Work that sometimes has to wait; it then yields a function to wait for. Most steps need no waiting, and a promise for
 * each step would take most of the time.
 */
export type Work<Result = void> = Generator<() => Promise<unknown>, Result>;

export async function done<Result>(work: Work<Result>): Promise<Result> {
  let step = work.next();
  while (!step.done) {
    await step.value();
    step = work.next();
  }
  return step.value;
}

/** A JSON text of any size, read from its beginning to its end in constant memory. */
export class JsonText {
  private at: number;
  private line = 1;
  /** The index up to which line feeds were counted. */
  private countedTo: number;

  /**
   * @param blocks the blocks of the file, starting with the first
   * @param from the index at which the text begins
   * @param name the name in messages
   * @param waiting called whenever more is read
   */
  constructor(
    private readonly blocks: BlockReader,
    from: number,
    private readonly name: string,
    private readonly waiting: () => Promise<void>,
  ) {
    this.at = from;
    this.countedTo = from;
  }

  /** The line of the current value, counted from 1. */
  currentLine(): number {
    this.line += countLineFeeds(this.blocks.bytes, this.countedTo, this.at);
    this.countedTo = this.at;
    return this.line;
  }

  /** @returns the next byte that is not a space; undefined at the end */
  *peek(): Work<number | undefined> {
    for (;;) {
      const { bytes, length, isLast } = this.blocks;
      this.at = afterSpace(bytes, this.at, length);
      if (this.at < length) return bytes[this.at];
      if (isLast) return undefined;
      yield* this.more();
    }
  }

  /** Read an object. @param visit reads the value of a member */
  *members(visit: (name: string) => Work): Work {
    this.at += 1;
    if ((yield* this.peek()) === CLOSING_BRACE) {
      this.at += 1;
      return;
    }
    do {
      if ((yield* this.peek()) !== QUOTE) throw this.notJson();
      const name = yield* this.whole();
      if ((yield* this.peek()) !== COLON) throw this.notJson();
      this.at += 1;
      yield* this.peek();
      yield* visit(stringAt(name, 0, name.length));
    } while (yield* this.isFollowed(CLOSING_BRACE));
  }

  /** Read a list. @param visit reads an element */
  *elements(visit: () => Work): Work {
    this.at += 1;
    if ((yield* this.peek()) === CLOSING_BRACKET) {
      this.at += 1;
      return;
    }
    do {
      yield* this.peek();
      yield* visit();
    } while (yield* this.isFollowed(CLOSING_BRACKET));
  }

  /**
   * Read the current value.
   *
   * @returns a copy of its bytes
   */
  *whole(): Work<Buffer> {
    for (;;) {
      const end = this.end(0);
      if (end !== -1) {
        const value = Buffer.from(this.blocks.bytes.subarray(this.at, end));
        this.at = end;
        return value;
      }
      if (this.blocks.length - this.at > VALUE_BYTES_MAX)
        throw new UnreadableInput(
          `${this.name}:${this.currentLine()} has a value of more than ${VALUE_BYTES_MAX} bytes, which is not read.`,
        );
      yield* this.more();
    }
  }

  /** Skip the current value, however large it is. */
  *skip(depth = 0): Work {
    let end = this.end(depth);
    if (end === -1 && this.at > 0) {
      yield* this.more();
      end = this.end(depth);
    }
    const byte = this.blocks.bytes[this.at];
    if (end !== -1) this.at = end;
    else if (byte === OPENING_BRACE) yield* this.members(() => this.skip(depth + 1));
    else if (byte === OPENING_BRACKET) yield* this.elements(() => this.skip(depth + 1));
    else yield* this.whole();
  }

  notJson(at = this.at): UnreadableInput {
    this.at = at;
    const isCut = at >= this.blocks.length;
    const why = isCut ? 'it ends too early' : 'something unexpected is there, or it nests too deeply';
    return new UnreadableInput(`${this.name}:${this.currentLine()} is not JSON: ${why}.`);
  }

  /** @returns true if a comma follows; false at the end */
  private *isFollowed(closing: number): Work<boolean> {
    const byte = yield* this.peek();
    if (byte !== COMMA && byte !== closing) throw this.notJson();
    this.at += 1;
    return byte === COMMA;
  }

  /** @returns the index after the current value; -1 if the value is not completely in memory */
  private end(depth: number): number {
    const { bytes, length, isLast } = this.blocks;
    const end = afterValue(bytes, this.at, length, depth);
    if (end >= 0) return end < length || isLast ? end : -1;
    if (failedAt(end) < length || isLast) throw this.notJson(failedAt(end));
    return -1;
  }

  private *more(): Work {
    this.currentLine();
    yield async () => {
      await this.blocks.advance(this.at);
      await this.waiting();
    };
    this.at = 0;
    this.countedTo = 0;
  }
}
