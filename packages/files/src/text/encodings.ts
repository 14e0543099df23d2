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

/** The encodings that `TextDecoder` reads. It does not read the other ones of one byte a character as they are meant here. */
const CENTRAL_EUROPEAN: readonly Encoding[] = ['windows-1250', 'iso-8859-2', 'latin2'];

/** The characters of Windows-1252 from 0x80 to 0x9F; a space for undefined bytes. */
const WINDOWS_1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** Control characters from 0x80 to 0x9F. No text has them: their bytes have no character in the encoding. */
const WITHOUT_CHARACTER = /[\x80-\x9f]/g;

/** Stands for bytes without a character. UTF-8 cannot have it. */
const LONE_SURROGATE = '\ud800';

const UTF8_BYTES_MAX = 4;

const CHUNK_BYTES = 65_536;

/**
 * The bytes of a file as UTF-8. Bytes that are invalid in the file's encoding become invalid UTF-8, so that their row is rejected.
 * Positions, lines and the text of rows refer to the UTF-8.
 */
export class DecodedSource implements ByteSource {
  private readonly bytes = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  private length = 0;
  private isLast = false;
  private decoded: Buffer = Buffer.alloc(0);
  private readonly isUtf16: boolean;
  private readonly decode: (bytes: Buffer) => Buffer;

  /**
   * @param first the bytes of the file that have already been read
   * @param isUtf8Already the error to throw if the bytes turn out to be UTF-8
   */
  constructor(
    private readonly source: ByteSource,
    private readonly encoding: Encoding,
    private first: Buffer,
    private readonly isUtf8Already: () => Error,
  ) {
    this.isUtf16 = encoding.startsWith('utf-16');
    this.decode = decoderOf(encoding);
  }

  async read(target: Buffer, offset: number): Promise<number> {
    while (this.decoded.length === 0 && !(this.isLast && this.length === 0)) await this.next();
    const count = this.decoded.copy(target, offset);
    this.decoded = this.decoded.subarray(count);
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
    if (!this.isUtf16) this.expectNotUtf8();
    const complete = this.isUtf16 && !this.isLast ? this.completeUtf16() : this.length;
    this.decoded = this.decode(this.bytes.subarray(0, complete));
    this.bytes.copyWithin(0, complete, this.length);
    this.length -= complete;
  }

  /** The number of bytes that are complete characters: no half of a pair of surrogates, and no odd byte. */
  private completeUtf16(): number {
    const even = this.length - (this.length % 2);
    const last = this.bytes[this.encoding === 'utf-16le' ? even - 1 : even - 2] ?? 0;
    return even > 0 && last >= 0xd8 && last < 0xdc ? even - 2 : even;
  }

  private expectNotUtf8(): void {
    let [from, to] = [0, this.length];
    // A UTF-8 character may be cut off at either end.
    for (let cut = 0; cut < UTF8_BYTES_MAX && (this.bytes[from] ?? 0) >> 6 === 2; cut += 1) from += 1;
    for (let cut = 0; cut < UTF8_BYTES_MAX && (this.bytes[to - 1] ?? 0) >= 0x80; cut += 1) to -= 1;
    const bytes = this.bytes.subarray(from, Math.max(from, to));
    const notByChance = CENTRAL_EUROPEAN.includes(this.encoding) ? NOT_BY_CHANCE_CENTRAL : NOT_BY_CHANCE;
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

/** @returns a function that converts the bytes of complete characters to UTF-8 */
export function decoderOf(encoding: Encoding): (bytes: Buffer) => Buffer {
  if (encoding.startsWith('utf-16')) {
    const invalid = Buffer.alloc(3, 0xff);
    return (bytes) => utf8Of(utf16Text(bytes, encoding), invalid);
  }
  const central = CENTRAL_EUROPEAN.includes(encoding) ? new TextDecoder(encoding) : undefined;
  const others = encoding === 'windows-1252' ? WINDOWS_1252 : '';
  const invalid = Buffer.alloc(1, 0xff);
  return (bytes) => {
    const text = central ? central.decode(bytes) : bytes.toString('latin1');
    const known = text.replaceAll(WITHOUT_CHARACTER, (sign) => {
      const character = others.charAt(sign.charCodeAt(0) - 0x80).trim();
      return character === '' ? LONE_SURROGATE : character;
    });
    return utf8Of(known, invalid);
  };
}

function utf16Text(bytes: Buffer, encoding: Encoding): string {
  const pairs = bytes.subarray(0, bytes.length - (bytes.length % 2));
  const text = (encoding === 'utf-16be' ? Buffer.from(pairs).swap16() : pairs).toString('utf16le');
  return pairs.length < bytes.length ? text + LONE_SURROGATE : text;
}

/** @param invalid written for each lone surrogate, which a file in UTF-16 may also have itself */
function utf8Of(text: string, invalid: Buffer): Buffer {
  if (text.isWellFormed()) return Buffer.from(text);
  const parts = text.split(/\p{Surrogate}/u).flatMap((part) => [invalid, Buffer.from(part)]);
  return Buffer.concat(parts.slice(1));
}

/**
 * The encoding from which the bytes of a file are converted to UTF-8.
 *
 * @param first bytes of the file
 * @param named the encoding that the mapping names
 * @returns undefined when the bytes are already UTF-8 or must be; `mismatch` when they have another encoding than the named one
 */
export function encodingOf(
  first: Buffer,
  named: Encoding | undefined,
): { readonly encoding?: Encoding; readonly mismatch?: string } {
  const seen = markOf(first) ?? patternOf(first);
  if (named === undefined || named === 'utf-8') {
    if (!seen) return {};
    if (markOf(first) === undefined || named === 'utf-8') return { mismatch: 'UTF-16' };
    return { encoding: seen };
  }
  if (!named.startsWith('utf-16')) return seen ? { mismatch: 'UTF-16' } : { encoding: named };
  const encoding = named === 'utf-16' ? seen : named;
  if (encoding === undefined || (seen !== undefined && seen !== encoding))
    return { mismatch: seen ?? 'no UTF-16' };
  return { encoding };
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
