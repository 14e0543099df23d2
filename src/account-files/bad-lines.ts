import { printable } from '../common/printable.js';
import type { Spool } from '../common/spool.js';
import type { BadLine } from './line-reading.js';

/** The bad lines of a file for people, and a summary; they are disposed of. */
export async function* badLinesAsText(badLines: Spool<BadLine>, summary: string): AsyncGenerator<string> {
  for await (const { line, code, detail } of badLines.drain()) {
    // The detail may repeat what is in the file.
    yield `line ${line}: ${code}: ${printable(detail)}\n`;
  }
  yield summary;
}
