import { isUtf8 } from 'node:buffer';
import type { LineProblem } from './line-reading.js';

/** Longest line that is read, in bytes without its end. */
export const LINE_BYTES_MAX = 1_048_576;

/** One line of a file, counted from 1, without its line feed; or why it could not be read. */
export type FileLine =
  { readonly line: number; readonly text: string } | { readonly line: number; readonly problem: LineProblem };

const LINE_FEED = 0x0a;

const TOO_LONG: LineProblem = {
  code: 'max_length',
  detail: `The line is longer than ${LINE_BYTES_MAX} bytes.`,
};
const NOT_UTF8: LineProblem = { code: 'parse_error', detail: 'The line is not UTF-8.' };

/**
 * Split a file into lines, in constant memory however long the file or one of its lines is. A byte order mark is skipped.
 *
 * @param chunks the file's bytes, in chunks of any size
 * @returns blocks of lines, in order; together they are every line of the file, including blank ones
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine[]> {
  const partial = new PartialLine();
  let line = 1;
  for await (const chunk of chunks) {
    let rest = chunk;
    const lines: FileLine[] = [];
    if (partial.isTooLong) {
      const end = chunk.indexOf(LINE_FEED);
      if (end === -1) continue;
      partial.takeAll();
      lines.push({ line, problem: TOO_LONG });
      line += 1;
      rest = chunk.subarray(end + 1);
    }
    const end = rest.lastIndexOf(LINE_FEED);
    if (end !== -1) {
      const whole = decode(partial.takeAll(rest.subarray(0, end)), line);
      for (const read of whole) lines.push(read);
      line += whole.length;
    }
    partial.append(rest.subarray(end + 1));
    if (lines.length > 0) yield lines;
  }
  if (partial.isTooLong) yield [{ line, problem: TOO_LONG }];
  else if (partial.length > 0) yield decode(partial.takeAll(), line);
}

/** A line whose end has not been read yet. Nothing is kept of one that is too long. */
class PartialLine {
  private pieces: Buffer[] = [];
  length = 0;
  isTooLong = false;

  append(bytes: Buffer): void {
    this.length += bytes.length;
    this.isTooLong = this.length > LINE_BYTES_MAX + BYTE_ORDER_MARK.length;
    if (this.isTooLong) this.pieces = [];
    else this.pieces.push(bytes);
  }

  /** @returns the line with its end, and starts the next one */
  takeAll(end: Buffer = Buffer.alloc(0)): Buffer {
    const whole = Buffer.concat([...this.pieces, end]);
    this.pieces = [];
    this.length = 0;
    this.isTooLong = false;
    return whole;
  }
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** @param bytes complete lines, without the line feed of the last one; @param first number of the first line */
function decode(bytes: Buffer, first: number): FileLine[] {
  const content = first === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  // A line feed is never part of another character, so bytes that are valid as a whole are valid line by line.
  if (isUtf8(content)) {
    return content
      .toString('utf8')
      .split('\n')
      .map((text, index) => checkedLine(first + index, text));
  }
  return splitBytes(content).map((part, index) =>
    isUtf8(part)
      ? checkedLine(first + index, part.toString('utf8'))
      : { line: first + index, problem: part.length > LINE_BYTES_MAX ? TOO_LONG : NOT_UTF8 },
  );
}

function checkedLine(line: number, text: string): FileLine {
  const mayBeTooLong = text.length * 3 > LINE_BYTES_MAX;
  return mayBeTooLong && Buffer.byteLength(text) > LINE_BYTES_MAX
    ? { line, problem: TOO_LONG }
    : { line, text };
}

function splitBytes(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(LINE_FEED); end !== -1; end = bytes.indexOf(LINE_FEED, start)) {
    parts.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return [...parts, bytes.subarray(start)];
}
