import { isUtf8 } from 'node:buffer';
import type { LineProblem } from './line-reading.js';

/** Length limit of a line, in bytes without the line feed. */
export const LINE_BYTES_MAX = 1_048_576;

/** One line of a file without its line feed, numbered from 1; or why it could not be read. */
export type FileLine =
  { readonly line: number; readonly text: string } | { readonly line: number; readonly problem: LineProblem };

const LINE_FEED = 0x0a;

const TOO_LONG: LineProblem = {
  code: 'max_length',
  detail: `The line is longer than ${LINE_BYTES_MAX} bytes.`,
};
const NOT_UTF8: LineProblem = { code: 'parse_error', detail: 'The line is not UTF-8.' };

/**
 * Split a file into lines, in constant memory however long the file or a line is. A byte order mark is skipped.
 *
 * @param chunks the file's bytes, in chunks of any size
 * @returns blocks of lines, in order; together they contain every line of the file, including blank ones
 */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<FileLine[]> {
  const partial = new PartialLine();
  for await (const chunk of chunks) {
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      lines.push(partial.end(chunk.subarray(start, end)));
      start = end + 1;
    }
    partial.append(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (partial.length > 0) yield [partial.end(Buffer.alloc(0))];
}

const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** A line whose end has not been read yet. If the line is too long, its bytes are dropped. */
class PartialLine {
  private line = 1;
  private pieces: Buffer[] = [];
  length = 0;

  append(bytes: Buffer): void {
    this.length += bytes.length;
    if (this.length > LINE_BYTES_MAX + BYTE_ORDER_MARK.length) this.pieces = [];
    else this.pieces.push(bytes);
  }

  /** @returns the line that ends with these bytes; the next line starts */
  end(last: Buffer): FileLine {
    this.append(last);
    const { line, length } = this;
    const bytes = this.pieces.length === 1 ? last : Buffer.concat(this.pieces);
    this.line += 1;
    this.pieces = [];
    this.length = 0;
    const hasMark = line === 1 && bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
    const skipped = hasMark ? BYTE_ORDER_MARK.length : 0;
    if (length - skipped > LINE_BYTES_MAX) return { line, problem: TOO_LONG };
    const content = bytes.subarray(skipped);
    return isUtf8(content) ? { line, text: content.toString() } : { line, problem: NOT_UTF8 };
  }
}
