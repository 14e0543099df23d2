const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const SPACES = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** Longest element unless another is given, in bytes, so that an answer which is not a list of the service fills no memory. */
const ELEMENT_BYTES_MAX = 1_048_576;

/** What was received is not a JSON list of objects. */
export class NotAListError extends Error {}

/**
 * Takes a JSON list of objects apart while it arrives. Only elements that have not ended yet are kept. Elements are found by
 * their brackets outside strings; whether they are JSON is up to `JSON.parse`, which gets all those of a chunk at once. It is the
 * only scanner of the client; that of the loader finds members, and needs the whole object.
 */
export class ListParser<Element> {
  /** What has arrived of an element that has not ended, in parts: to join them each time would take long for a large one. */
  private rest: Buffer[] = [];
  private restBytes = 0;
  private part: 'before' | 'inside' | 'after' = 'before';
  /** Brackets that are open within the element; 0 between elements. */
  private depth = 0;
  private isInString = false;
  private isEscaped = false;

  /** @param elementBytesMax longest element, in bytes */
  constructor(private readonly elementBytesMax = ELEMENT_BYTES_MAX) {}

  /** Whether the list has ended; an answer that ends before is incomplete. */
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
      // Copied, because a part would keep the memory of all.
      const part = Buffer.from(chunk.subarray(last));
      this.rest.push(part);
      this.restBytes += part.length;
    }
    if (this.restBytes > this.elementBytesMax) throw new NotAListError('An element of the list is too long.');
    return ended ? elementsOf<Element>(ended.toString('utf8')) : [];
  }

  /** @returns whether an element begins with this byte, which is outside of all elements */
  private isBetween(byte: number): boolean {
    if (SPACES.has(byte)) return false;
    if (this.part === 'before' && byte === OPEN_LIST) this.part = 'inside';
    else if (this.part === 'inside' && byte === CLOSE_LIST) this.part = 'after';
    else if (this.part === 'inside' && byte === OPEN_OBJECT) this.depth = 1;
    else if (this.part !== 'inside' || byte !== COMMA) throw new NotAListError('The answer is not a list.');
    return this.depth === 1;
  }

  /** @returns whether the element ends with this byte, which is inside of it */
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
