import { isUtf8 } from 'node:buffer';
import type { RawText } from './events.js';

/** Store the exact bytes of a record, as text if they are UTF-8. */
export function rawText(bytes: Buffer): RawText {
  return isUtf8(bytes) ? bytes.toString('utf8') : { base64: bytes.toString('base64') };
}

export function rawBytes(raw: RawText): Buffer {
  return typeof raw === 'string' ? Buffer.from(raw, 'utf8') : Buffer.from(raw.base64, 'base64');
}

/** Whether two records have the same bytes. */
export function isSameRaw(a: RawText, b: RawText): boolean {
  return typeof a === 'string' || typeof b === 'string' ? a === b : a.base64 === b.base64;
}
