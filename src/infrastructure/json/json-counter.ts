import { DEPTH_MAX } from './json-bytes.js';

/** The keys and indexes that lead from the root value to a value inside it. */
export type JsonPath = readonly (string | number)[];

/** A list with more items than allowed, or an object with too much undocumented content. */
export interface Excess {
  readonly path: JsonPath;
  /** Maximum number of items of the list; undefined for an object. */
  readonly allowed?: number;
}

/** Limits for the contents of a JSON text. */
export interface JsonLimits {
  /** The smallest limit of any list. */
  readonly smallest: number;
  /** Maximum number of items of the list at a path. */
  readonly at: (path: JsonPath) => number;
  /** The documented member names of all objects. */
  readonly names: ReadonlySet<string>;
  /** Maximum number of objects and lists in the whole text. */
  readonly containers: number;
  /** Objects and lists at this level of nesting are items, see {@link JsonCounter.hasLargeItem}. */
  readonly itemDepth: number;
  readonly itemBytes: number;
}

/** Maximum number of undocumented members in one object (choice T19). */
export const UNKNOWN_OF_OBJECT_MAX = 1_000;

/**
 * Approximate maximum number of undocumented members in a whole text. It includes the strings in lists, because no documented
 * list contains strings. JSON.parse looks each of them up in a table, which takes 20 times as long as reading it.
 */
export const UNKNOWN_MAX = 20_000;

/** One in this many names is checked. Checking every name would make counting half as slow again. */
const CHECK_ONE_IN = 64;

const OTHER = 0;
const QUOTE = 1;
const COMMA = 2;
const COLON = 3;
const OPENING_BRACE = 4;
const OPENING_BRACKET = 5;
const CLOSING = 6;

/** The kind of each byte outside strings. */
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

/** No documented name is longer, even if it is written with escapes. */
const KEY_BYTES_MAX = 256;

/** Marks a string that began in an earlier chunk. */
const EARLIER = -1;

/**
 * Counts, while a JSON text arrives, what makes parsing it slow: the items of every list, the undocumented members of every
 * object, all objects and lists, and the levels of nesting. It does not check the syntax: its results for a text that is not JSON
 * have no meaning.
 *
 * One loop over the bytes costs less than a third of parsing them. json-bytes.ts reads a whole text; this class can stop anywhere
 * and continue with the next chunk.
 *
 * Source: choices T15, T19.
 */
export class JsonCounter {
  /** Whether an item was longer than allowed as sent, including spaces and escapes. */
  hasLargeItem = false;
  /** Whether the text nests deeper than a payload may; nothing is counted from then on. */
  isTooDeep = false;
  private chunk: Buffer = Buffer.alloc(0);
  private depth = 0;
  /** For every open object and list, by depth: */
  private readonly isList = new Uint8Array(DEPTH_MAX + 1);
  /** Commas of a list, or members of an object. */
  private readonly counts = new Uint32Array(DEPTH_MAX + 1);
  private readonly allowed = new Float64Array(DEPTH_MAX + 1);
  /** For every open object, the position of the current member's key in this chunk, or the key itself if it was in another chunk. */
  private readonly keyStart = new Uint32Array(DEPTH_MAX + 1);
  private readonly keyEnd = new Uint32Array(DEPTH_MAX + 1);
  private readonly keys = new Array<Buffer | undefined>(DEPTH_MAX + 1);
  /** Position of the last string in this chunk. */
  private stringStart = EARLIER;
  private stringEnd = 0;
  /** The last string of earlier chunks, complete or as far as it has arrived. */
  private carried: Buffer[] = [];
  private isInString = false;
  private isEscaped = false;
  /** Whether the last byte that is not a space was the comma after the last item that the list may have. */
  private isFull = false;
  private unknown = 0;
  /** Number of members until the next name is checked. */
  private untilCheck = 0;
  private containers = 0;
  /** Number of bytes in earlier chunks. */
  private offset = 0;
  private itemStart = 0;

  constructor(private readonly limits: JsonLimits) {}

  /** @returns the first list or object that exceeds a limit; nothing may be added after it */
  add(chunk: Buffer): Excess | undefined {
    if (this.isTooDeep) return undefined;
    this.chunk = chunk;
    this.stringStart = EARLIER;
    const { isInString } = this;
    this.isInString = false;
    const excess = this.scan(chunk, isInString ? this.restOfString(chunk) : 0);
    if (excess === undefined) this.carry(chunk);
    this.offset += chunk.length;
    return excess;
  }

  private scan(chunk: Buffer, start: number): Excess | undefined {
    if (this.isFull && this.beginsItem(chunk, start)) return this.longList();
    const { isList, counts, allowed, keyStart, keyEnd, keys } = this;
    const { itemDepth, itemBytes, containers: containersMax, names } = this.limits;
    const membersMax = names.size + UNKNOWN_OF_OBJECT_MAX;
    let { depth, containers, untilCheck, stringStart, stringEnd } = this;
    let index = start;
    while (index < chunk.length) {
      const kind = KINDS[chunk[index] ?? 0];
      index += 1;
      if (kind === OTHER) continue;
      if (kind === QUOTE) {
        stringStart = index;
        index = this.endOfString(chunk, index);
        stringEnd = index - 1;
        if (isList[depth] === 1 && ++this.unknown > UNKNOWN_MAX) return this.crowdedObject(depth);
      } else if (kind === COMMA) {
        if (isList[depth] === 0) continue;
        const items = (counts[depth] ?? 0) + 1;
        counts[depth] = items;
        if (items < (allowed[depth] ?? 0)) continue;
        this.depth = depth;
        if (this.isOver(items) && this.beginsItem(chunk, index)) return this.longList();
      } else if (kind === COLON) {
        keys[depth] = stringStart === EARLIER ? this.carriedKey() : undefined;
        keyStart[depth] = stringStart;
        keyEnd[depth] = stringEnd;
        const members = (counts[depth] ?? 0) + 1;
        counts[depth] = members;
        if (members > membersMax) return this.crowdedObject(depth);
        untilCheck -= 1;
        if (untilCheck > 0) continue;
        untilCheck = 1 + Math.floor(Math.random() * CHECK_ONE_IN * 2);
        if (this.hasTooManyUnknown(keys[depth] ?? chunk.subarray(stringStart, stringEnd)))
          return this.crowdedObject(depth);
      } else if (kind === CLOSING) {
        if (depth === itemDepth && this.offset + index - this.itemStart > itemBytes) this.hasLargeItem = true;
        // Unbalanced brackets are not JSON.
        depth = Math.max(depth - 1, 0);
      } else {
        if (depth === DEPTH_MAX) {
          this.isTooDeep = true;
          return undefined;
        }
        containers += 1;
        if (containers > containersMax) return this.crowdedObject(depth);
        depth += 1;
        if (depth === itemDepth) this.itemStart = this.offset + index - 1;
        isList[depth] = kind === OPENING_BRACKET ? 1 : 0;
        counts[depth] = 0;
        allowed[depth] = this.limits.smallest;
      }
    }
    Object.assign(this, { depth, containers, untilCheck, stringStart, stringEnd });
    return undefined;
  }

  /** @param start after the opening quote @returns the index after the closing quote, or the end of the chunk */
  private endOfString(chunk: Buffer, start: number): number {
    let index = start;
    while (index < chunk.length) {
      const byte = chunk[index];
      index += 1;
      if (byte === QUOTE_BYTE) return index;
      if (byte === BACKSLASH) index += 1;
    }
    this.isInString = true;
    this.isEscaped = index > chunk.length;
    return chunk.length;
  }

  /** @returns the index after the string that began in an earlier chunk */
  private restOfString(chunk: Buffer): number {
    const end = this.endOfString(chunk, this.isEscaped ? 1 : 0);
    this.carried.push(this.isInString ? chunk : chunk.subarray(0, end - 1));
    return end;
  }

  /** Whether the innermost list is complete with these items. A list that reaches the smallest limit gets its own limit here. */
  private isOver(items: number): boolean {
    const { depth, limits } = this;
    if (this.allowed[depth] === limits.smallest) this.allowed[depth] = limits.at(this.pathOf(depth));
    return items >= (this.allowed[depth] ?? 0);
  }

  /** Whether an item follows the comma before an index. If the chunk ends first, the next chunk decides. */
  private beginsItem(chunk: Buffer, start: number): boolean {
    let index = start;
    while (SPACES.has(chunk[index])) index += 1;
    this.isFull = index >= chunk.length;
    return !this.isFull && chunk[index] !== CLOSING_BRACKET_BYTE;
  }

  private longList(): Excess {
    return { path: this.pathOf(this.depth), allowed: this.allowed[this.depth] ?? 0 };
  }

  /** The innermost object that is open at a depth, or the whole text if there is none. */
  private crowdedObject(depth: number): Excess {
    let level = depth;
    while (level > 1 && this.isList[level] === 1) level -= 1;
    return { path: this.pathOf(level) };
  }

  private carriedKey(): Buffer {
    if (this.carried.length > 1) this.carried = [Buffer.concat(this.carried)];
    return this.carried[0] ?? Buffer.alloc(0);
  }

  /** Estimates the number of undocumented members by checking an unpredictable sample. @returns whether there are too many */
  private hasTooManyUnknown(name: Buffer): boolean {
    const isKnown = name.length <= KEY_BYTES_MAX && this.limits.names.has(decoded(name));
    if (!isKnown) this.unknown += CHECK_ONE_IN;
    return this.unknown > UNKNOWN_MAX;
  }

  /** The path of the list that is open at a depth. */
  private pathOf(depth: number): JsonPath {
    const path: (string | number)[] = [];
    for (let level = 1; level < depth; level += 1) {
      path.push(this.isList[level] === 1 ? (this.counts[level] ?? 0) : decoded(this.keyAt(level)));
    }
    return path;
  }

  private keyAt(level: number): Buffer {
    return this.keys[level] ?? this.chunk.subarray(this.keyStart[level], this.keyEnd[level]);
  }

  /** Keep what the next chunk may need from this one: the keys of the open objects, and the last string. */
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
