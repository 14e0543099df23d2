import { isAscii, isUtf8 } from 'node:buffer';
import type { ByteSource } from './byte-source.js';

/** The encodings of files. For `utf-16`, the byte order mark or the zeros among the first bytes decide the byte order. */
export const ENCODINGS = [
  'utf-8',
  'utf-16',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'iso-8859-1',
  'latin1',
  'windows-1250',
  'iso-8859-2',
  'latin2',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** The characters of the bytes from 0xC0 on in Windows-1250 and in ISO 8859-2. */
const CENTRAL_EUROPEAN = 'ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙';
const LATIN_2 = [0xa0, `\u00A0Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u00ADŽŻ°ą˛ł´ľśˇ¸šşťź˝žż${CENTRAL_EUROPEAN}`] as const;

/** The first byte above ASCII that has a character, and the characters from there on; a space for undefined bytes. */
const SINGLE_BYTES: Readonly<Partial<Record<Encoding, readonly [first: number, characters: string]>>> = {
  'windows-1252': [0x80, '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'],
  'windows-1250': [
    0x80,
    `€ ‚ „…†‡ ‰Š‹ŚŤŽŹ ‘’“”•–— ™š›śťžź\u00A0ˇ˘Ł¤Ą¦§¨©Ş«¬\u00AD®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż${CENTRAL_EUROPEAN}`,
  ],
  'iso-8859-2': LATIN_2,
  latin2: LATIN_2,
};

const UTF8_BYTES_MAX = 4;

const CHUNK_BYTES = 65_536;

/** The most UTF-8 bytes that one byte of another encoding becomes. */
const GROWTH = 3;

/** Converts the bytes of an encoding to UTF-8. */
interface Decoder {
  /**
   * @param isLast whether no bytes follow
   * @returns the number of bytes read and the number written
   */
  decode(from: Buffer, length: number, to: Buffer, isLast: boolean): { read: number; written: number };
}

/**
 * The bytes of a file as UTF-8. Bytes that are invalid in the file's encoding become invalid UTF-8, so that their row is rejected.
 * Positions, lines and the text of rows refer to the UTF-8.
 */
export class DecodedSource implements ByteSource {
  private readonly bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private length = 0;
  private isLast = false;
  private decoded = Buffer.allocUnsafeSlow(CHUNK_BYTES * GROWTH);
  private at = 0;
  private end = 0;

  /**
   * @param first the bytes of the file that have already been read
   * @param isUtf8Already the error to throw if the bytes turn out to be UTF-8
   */
  constructor(
    private readonly source: ByteSource,
    private readonly decoder: Decoder,
    private first: Buffer,
    private readonly isUtf8Already: () => Error,
  ) {}

  async read(target: Buffer, offset: number): Promise<number> {
    while (this.at === this.end && !(this.isLast && this.length === 0)) await this.next();
    const count = this.decoded.copy(target, offset, this.at, this.end);
    this.at += count;
    return count;
  }

  async close(): Promise<void> {
    await this.source.close();
  }

  private async next(): Promise<void> {
    const { first } = this;
    if (first.length > 0) {
      const taken = first.copy(this.bytes, this.length);
      this.first = first.subarray(taken);
      this.length += taken;
    } else if (!this.isLast) {
      const count = await this.source.read(this.bytes, this.length);
      this.length += count;
      this.isLast = count === 0;
    }
    if (this.decoder instanceof ByteDecoder) this.expectNotUtf8(this.decoder.notByChance);
    const { read, written } = this.decoder.decode(this.bytes, this.length, this.decoded, this.isLast);
    this.bytes.copyWithin(0, read, this.length);
    this.length -= read;
    [this.at, this.end] = [0, written];
  }

  /** @param notByChance UTF-8 characters whose bytes never stand side by side in real text of the encoding */
  private expectNotUtf8(notByChance: RegExp): void {
    let [from, to] = [0, this.length];
    // A UTF-8 character may be cut off at either end.
    for (let cut = 0; cut < UTF8_BYTES_MAX && (this.bytes[from] ?? 0) >> 6 === 2; cut += 1) from += 1;
    for (let cut = 0; cut < UTF8_BYTES_MAX && (this.bytes[to - 1] ?? 0) >= 0x80; cut += 1) to -= 1;
    const bytes = this.bytes.subarray(from, Math.max(from, to));
    if (!isAscii(bytes) && isUtf8(bytes) && notByChance.test(bytes.toString())) throw this.isUtf8Already();
  }
}

/**
 * Characters whose bytes are Â, Ã, Î, Ï, Ð or Ñ followed by a sign, or a letter followed by two signs in Western European encodings.
 * Ü“ and ß” are others.
 */
const NOT_BY_CHANCE = /[\u00A0-\u00FF\u0370-\u047F\u{800}-\u{10FFFF}]/u;
/**
 * The same for Central European encodings: characters whose bytes are Ă, Ä or Ĺ followed by a sign or a letter, without
 * Ă before Ş or a quote.
 */
const NOT_BY_CHANCE_CENTRAL = /[\u00E1-\u00E9\u00EC-\u00F9\u00FC-\u017F]/u;

/** Decodes one byte a character. A byte without a character becomes a lone byte, which is invalid UTF-8. */
class ByteDecoder implements Decoder {
  private readonly codes: Uint16Array;
  readonly notByChance: RegExp;

  constructor(encoding: Encoding) {
    const [first, characters] = SINGLE_BYTES[encoding] ?? [0xa0, ''];
    this.notByChance = characters.endsWith(CENTRAL_EUROPEAN) ? NOT_BY_CHANCE_CENTRAL : NOT_BY_CHANCE;
    this.codes = Uint16Array.from({ length: 256 }, (_, byte) => {
      if (byte >= 0x80 && byte < first) return 0;
      const character = byte < first ? '' : characters.charAt(byte - first);
      if (character === '') return byte;
      return character === ' ' ? 0 : character.charCodeAt(0);
    });
  }

  decode(from: Buffer, length: number, to: Buffer): { read: number; written: number } {
    const { codes } = this;
    let written = 0;
    for (let at = 0; at < length; at += 1) {
      const byte = from[at] ?? 0;
      const code = codes[byte] ?? 0;
      // A byte from 0x80 to 0xBF after a complete character is invalid UTF-8.
      if (byte < 0x80 || code === 0) to[written++] = byte;
      else written = put(to, written, code);
    }
    return { read: length, written };
  }
}

/** A lone surrogate is encoded like a character, which is invalid UTF-8. An odd byte at the end becomes invalid UTF-8 too. */
class Utf16Decoder implements Decoder {
  constructor(private readonly isLittle: boolean) {}

  decode(from: Buffer, length: number, to: Buffer, isLast: boolean): { read: number; written: number } {
    let written = 0;
    let at = 0;
    while (at + 1 < length) {
      const code = this.unit(from, at);
      if (code >= 0xd800 && code < 0xdc00) {
        if (at + 3 >= length && !isLast) break;
        const low = at + 3 < length ? this.unit(from, at + 2) : 0;
        if (low >= 0xdc00 && low < 0xe000) {
          written = putWide(to, written, 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00));
          at += 4;
          continue;
        }
      }
      written = put(to, written, code);
      at += 2;
    }
    if (isLast && at < length && length - at === 1) {
      to[written++] = 0xff;
      at = length;
    }
    return { read: at, written };
  }

  private unit(bytes: Buffer, at: number): number {
    const [one = 0, other = 0] = [bytes[at], bytes[at + 1]];
    return this.isLittle ? one | (other << 8) : (one << 8) | other;
  }
}

function put(to: Buffer, at: number, code: number): number {
  if (code < 0x80) {
    to[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    to[at] = 0xc0 | (code >> 6);
    to[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  to[at] = 0xe0 | (code >> 12);
  to[at + 1] = 0x80 | ((code >> 6) & 0x3f);
  to[at + 2] = 0x80 | (code & 0x3f);
  return at + 3;
}

function putWide(to: Buffer, at: number, code: number): number {
  to[at] = 0xf0 | (code >> 18);
  to[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  to[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  to[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}

/**
 * The decoder that converts the bytes of a file to UTF-8.
 *
 * @param first bytes of the file
 * @param named the encoding that the mapping names
 * @returns undefined when the bytes are already UTF-8 or must be; `mismatch` when they have another encoding than the named one
 */
export function decoderFor(
  first: Buffer,
  named: Encoding | undefined,
): { readonly decoder?: Decoder; readonly mismatch?: string } {
  const seen = markOf(first) ?? patternOf(first);
  if (named === undefined || named === 'utf-8') {
    if (!seen) return {};
    if (markOf(first) === undefined || named === 'utf-8') return { mismatch: 'UTF-16' };
    return { decoder: new Utf16Decoder(seen === 'utf-16le') };
  }
  if (!named.startsWith('utf-16')) {
    if (seen) return { mismatch: 'UTF-16' };
    return { decoder: new ByteDecoder(named) };
  }
  const is = named === 'utf-16' ? seen : named;
  if (is === undefined || (seen !== undefined && seen !== is)) return { mismatch: seen ?? 'no UTF-16' };
  return { decoder: new Utf16Decoder(is === 'utf-16le') };
}

function markOf([one, other]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (one === 0xff && other === 0xfe) return 'utf-16le';
  return one === 0xfe && other === 0xff ? 'utf-16be' : undefined;
}

/** Files begin with ASCII, and in UTF-16 without a mark every second byte of ASCII is zero. */
function patternOf(first: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const pairs = Math.min(4, Math.floor(first.length / 2));
  if (pairs === 0) return undefined;
  const zeros = (from: number): boolean =>
    Array.from({ length: pairs }, (_, index) => first[2 * index + from]).every((byte) => byte === 0);
  if (zeros(0) === zeros(1)) return undefined;
  return zeros(1) ? 'utf-16le' : 'utf-16be';
}

/** Bytes of letters, digits, the space and frequent signs in EBCDIC, which has no text without them. */
const EBCDIC = /[\x40\x4b\x60\x61\x6b\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9\xf0-\xf9]/g;

/** The number of bytes that are examined. */
const EBCDIC_SAMPLE = 4_096;

/** Whether bytes are evidently EBCDIC: most are its letters, digits and spaces, and few are the spaces and line feeds of ASCII. */
export function isEbcdic(first: Buffer): boolean {
  const sample = first.toString('latin1', 0, EBCDIC_SAMPLE);
  const count = (signs: RegExp): number => sample.match(signs)?.length ?? 0;
  return (
    count(EBCDIC) > 0.6 * sample.length &&
    count(/@/g) > 4 * count(/[ \n]/g) &&
    !isUtf8(Buffer.from(sample, 'latin1'))
  );
}
