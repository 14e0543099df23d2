import { DEPTH_MAX } from './json-bytes.js';

/** The keys and indexes that lead from the whole value to one inside it. */
export type JsonPath = readonly (string | number)[];

/** A list with more items than allowed. */
export interface LongList {
  readonly path: JsonPath;
  readonly allowed: number;
}

/** How many items lists may have. */
export interface ItemLimits {
  /** No list may have fewer. */
  readonly smallest: number;
  /** The most items of the list at a path. */
  readonly at: (path: JsonPath) => number;
}

const OTHER = 0;
const QUOTE = 1;
const COMMA = 2;
const COLON = 3;
const OPENING_BRACE = 4;
const OPENING_BRACKET = 5;
const CLOSING = 6;

/** What each byte is outside strings. */
const KINDS = new Uint8Array(256).fill(OTHER);
for (const [characters, kind] of [
  ['"', QUOTE],
  [',', COMMA],
  [':', COLON],
  ['{', OPENING_BRACE],
  ['[', OPENING_BRACKET],
  ['}]', CLOSING],
] as const) {
  for (const byte of Buffer.from(characters)) KINDS[byte] = kind;
}

const BACKSLASH = 0x5c;
const QUOTE_BYTE = 0x22;
const CLOSING_BRACKET_BYTE = 0x5d;
const SPACES: ReadonlySet<number | undefined> = new Set(Buffer.from(' \n\r\t'));

/** The last string began in an earlier chunk. */
const EARLIER = -1;

/**
 * Counts the items of every list of a JSON text while the text arrives, and nests no more levels than a request may have.
 * It does not check the syntax: what it finds in a text that is not JSON has no meaning.
 *
 * One loop over the bytes costs less than a third of what parsing them does. It is no use of json-bytes.ts, which reads a whole
 * text: this one stops in any place and goes on with the next chunk.
 *
 * Source: choice T15.
 */
export class ListCounter {
  private chunk: Buffer = Buffer.alloc(0);
  private depth = 0;
  /** Whether the next level would be more than a payload may have; nothing is counted from then on. */
  private tooDeep = false;
  /** Of every open object and list, by its depth: */
  private readonly isList = new Uint8Array(DEPTH_MAX + 1);
  private readonly commas = new Uint32Array(DEPTH_MAX + 1);
  private readonly allowed = new Float64Array(DEPTH_MAX + 1);
  /** Of every open object, where the key of the present member is in this chunk, or the key itself if it was in another. */
  private readonly keyStart = new Uint32Array(DEPTH_MAX + 1);
  private readonly keyEnd = new Uint32Array(DEPTH_MAX + 1);
  private readonly keys = new Array<Buffer | undefined>(DEPTH_MAX + 1);
  /** Where the last string of this chunk is. */
  private stringStart = EARLIER;
  private stringEnd = 0;
  /** The last string of the chunks before, whole or as far as it has arrived. */
  private carried: Buffer[] = [];
  private isInString = false;
  private isEscaped = false;
  /** Whether the last byte but spaces was the comma after as many items as the list may have. */
  private isFull = false;

  constructor(private readonly limits: ItemLimits) {}

  get isTooDeep(): boolean {
    return this.tooDeep;
  }

  /** @returns the first list that has more items than allowed; nothing may be added after it */
  add(chunk: Buffer): LongList | undefined {
    if (this.tooDeep) return undefined;
    this.chunk = chunk;
    this.stringStart = EARLIER;
    const list = this.scan(chunk, this.isInString ? this.restOfString(chunk) : 0);
    if (list === undefined) this.carry(chunk);
    return list;
  }

  private scan(chunk: Buffer, start: number): LongList | undefined {
    if (this.isFull && this.beginsItem(chunk, start)) return this.longList();
    const { isList, commas, allowed, keyStart, keyEnd, keys } = this;
    let { depth } = this;
    let at = start;
    while (at < chunk.length) {
      const kind = KINDS[chunk[at] ?? 0];
      at += 1;
      if (kind === OTHER) continue;
      if (kind === QUOTE) {
        this.stringStart = at;
        at = this.endOfString(chunk, at);
        this.stringEnd = at - 1;
      } else if (kind === COMMA) {
        if (isList[depth] === 0) continue;
        const items = (commas[depth] ?? 0) + 1;
        commas[depth] = items;
        if (items < (allowed[depth] ?? 0)) continue;
        this.depth = depth;
        if (this.isOver(items) && this.beginsItem(chunk, at)) return this.longList();
      } else if (kind === COLON) {
        keys[depth] = this.stringStart === EARLIER ? Buffer.concat(this.carried) : undefined;
        keyStart[depth] = this.stringStart;
        keyEnd[depth] = this.stringEnd;
      } else if (kind === CLOSING) {
        // Brackets that do not match are not JSON.
        depth = Math.max(depth - 1, 0);
      } else {
        if (depth === DEPTH_MAX) {
          this.tooDeep = true;
          return undefined;
        }
        depth += 1;
        isList[depth] = kind === OPENING_BRACKET ? 1 : 0;
        commas[depth] = 0;
        allowed[depth] = this.limits.smallest;
      }
    }
    this.depth = depth;
    return undefined;
  }

  /** @param start after the opening quote. @returns the index after the closing one, or the end of the chunk */
  private endOfString(chunk: Buffer, start: number): number {
    let at = start;
    while (at < chunk.length) {
      const byte = chunk[at];
      at += 1;
      if (byte === QUOTE_BYTE) {
        this.isInString = false;
        return at;
      }
      if (byte === BACKSLASH) at += 1;
    }
    this.isInString = true;
    this.isEscaped = at > chunk.length;
    return chunk.length;
  }

  /** @returns the index after the string that began in an earlier chunk */
  private restOfString(chunk: Buffer): number {
    const end = this.endOfString(chunk, this.isEscaped ? 1 : 0);
    this.carried.push(this.isInString ? chunk : chunk.subarray(0, end - 1));
    return end;
  }

  /** Whether the innermost list is complete with these items; asks for its own limit when it has more than the smallest. */
  private isOver(items: number): boolean {
    const { depth, limits } = this;
    if (this.allowed[depth] === limits.smallest) this.allowed[depth] = limits.at(this.pathOf(depth));
    return items >= (this.allowed[depth] ?? 0);
  }

  /** Whether an item follows the comma before an index. If the chunk ends before that, the next one decides. */
  private beginsItem(chunk: Buffer, start: number): boolean {
    let at = start;
    while (SPACES.has(chunk[at])) at += 1;
    this.isFull = at >= chunk.length;
    return !this.isFull && chunk[at] !== CLOSING_BRACKET_BYTE;
  }

  private longList(): LongList {
    return { path: this.pathOf(this.depth), allowed: this.allowed[this.depth] ?? 0 };
  }

  /** The path of the list that is open at a depth. */
  private pathOf(depth: number): JsonPath {
    const path: (string | number)[] = [];
    for (let level = 1; level < depth; level += 1) {
      path.push(this.isList[level] === 1 ? (this.commas[level] ?? 0) : decoded(this.keyAt(level)));
    }
    return path;
  }

  private keyAt(level: number): Buffer {
    return this.keys[level] ?? this.chunk.subarray(this.keyStart[level], this.keyEnd[level]);
  }

  /** Keep what the next chunk may need of this one: the keys of the open objects, and the last string. */
  private carry(chunk: Buffer): void {
    if (this.stringStart !== EARLIER) {
      this.carried = [chunk.subarray(this.stringStart, this.isInString ? chunk.length : this.stringEnd)];
    }
    for (let level = 1; level <= this.depth; level += 1) this.keys[level] = this.keyAt(level);
  }
}

function decoded(key: Buffer): string {
  const text = key.toString('utf8');
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // The text is not JSON.
    return text;
  }
}
