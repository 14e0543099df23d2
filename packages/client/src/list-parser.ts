const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Default maximum length of an element, so that an answer of another server cannot fill the memory. */
const ELEMENT_BYTES_MAX = 1_048_576;

/** The received text is not a JSON list of objects. */
export class NotAListError extends Error {}

/**
 * Parses a JSON list of objects while it arrives. Buffers only an element that has not ended yet. Elements are found by their
 * brackets outside strings; `JSON.parse` then parses all elements of a chunk at once and checks that they are JSON. This is the
 * client's only scanner. The loader's scanner finds members and needs the whole object.
 */
export class ListParser<Element> {
  /** The parts received of an unfinished element. Joining them for each chunk would be slow for a large element. */
  private rest: Buffer[] = [];
  private restBytes = 0;
  private part: 'before' | 'inside' | 'after' = 'before';
  /** The number of open brackets within the element; 0 between elements. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  /** @param elementBytesMax maximum length of an element */
  constructor(private readonly elementBytesMax = ELEMENT_BYTES_MAX) {}

  /** Whether the list has ended. An answer that ends earlier is incomplete. */
  get isComplete(): boolean {
    return this.part === 'after';
  }

  /** @returns the elements that end in this chunk */
  push(chunk: Buffer): Element[] {
    let [first, last, end] = this.rest.length === 0 ? [-1, -1, -1] : [0, 0, -1];
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.depth === 0) {
        if (!this.isBetween(byte)) continue;
        last = at;
        if (first === -1) first = at;
      } else if (this.isEnd(byte)) end = at + 1;
    }
    const ended = end === -1 ? undefined : Buffer.concat([...this.rest, chunk.subarray(first, end)]);
    if (ended) [this.rest, this.restBytes] = [[], 0];
    if (this.depth > 0) {
      // Copied, because a subarray would retain the memory of the whole chunk.
      const part = Buffer.from(chunk.subarray(last));
      this.rest.push(part);
      this.restBytes += part.length;
    }
    if (this.restBytes > this.elementBytesMax) throw new NotAListError('An element of the list is too long.');
    return ended ? elementsOf<Element>(ended.toString('utf8')) : [];
  }

  /** @returns whether an element begins with this byte, which is outside all elements */
  private isBetween(byte: number): boolean {
    if (SPACES.has(byte)) return false;
    if (this.part === 'before' && byte === OPEN_LIST) this.part = 'inside';
    else if (this.part === 'inside' && byte === CLOSE_LIST) this.part = 'after';
    else if (this.part === 'inside' && byte === OPEN_OBJECT) this.depth = 1;
    else if (this.part !== 'inside' || byte !== COMMA) throw new NotAListError('The answer is not a list.');
    return this.depth === 1;
  }

  /** @returns whether the element ends with this byte, which is inside it */
  private isEnd(byte: number): boolean {
    if (this.isInString) {
      if (this.isEscaped) this.isEscaped = false;
      else if (byte === BACKSLASH) this.isEscaped = true;
      else if (byte === QUOTE) this.isInString = false;
    } else if (byte === QUOTE) this.isInString = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.depth += 1;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.depth -= 1;
    return this.depth === 0;
  }
}

function elementsOf<Element>(text: string): Element[] {
  try {
    return JSON.parse(`[${text}]`) as Element[];
  } catch (error) {
    throw new NotAListError('The answer is not JSON.', { cause: error });
  }
}
