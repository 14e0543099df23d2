import { NotAListError } from './list-parser.js';

const NEWLINE = 0x0a;
/** Maximum line length, so that an answer of another server cannot fill the memory. A change may have thousands of items. */
const LINE_BYTES_MAX = 134_217_728;

/** Parses lines of JSON while they arrive. Buffers only the line that has not ended yet. */
export class LineParser<Element> {
  private rest: Buffer[] = [];
  private restBytes = 0;

  /** Whether the last line has ended. An answer that ends within a line is incomplete. */
  get isComplete(): boolean {
    return this.restBytes === 0;
  }

  /** @returns the elements whose lines end in this chunk */
  push(chunk: Buffer): Element[] {
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end === 0) {
      this.keep(chunk);
      return [];
    }
    const lines = Buffer.concat([...this.rest, chunk.subarray(0, end)]).toString('utf8');
    [this.rest, this.restBytes] = [[], 0];
    this.keep(chunk.subarray(end));
    return lines.split('\n').slice(0, -1).map(elementOf) as Element[];
  }

  private keep(part: Buffer): void {
    this.restBytes += part.length;
    if (this.restBytes > LINE_BYTES_MAX) throw new NotAListError('A line of the answer is too long.');
    if (part.length > 0) this.rest.push(part);
  }
}

function elementOf(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (error) {
    throw new NotAListError('A line of the answer is not JSON.', { cause: error });
  }
}
