import type { XmlVisitor } from './xml.js';

/**
 * The escapes of a workbook (ECMA-376 22.9.2.19): for characters that XML does not allow, and for an underscore that
 * would otherwise look like the start of an escape.
 */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;

/** The text of a cell as it is written in a workbook, with its escapes resolved. */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  const plain = text.replaceAll(ESCAPED, (_all, code: string) => String.fromCharCode(parseInt(code, 16)));
  return plain.includes('\0') || !plain.isWellFormed() ? '#TEXT!' : plain;
}

/** Collects the text of an element. The text may consist of runs in several fonts. Phonetic text is left out. */
export class RichText implements XmlVisitor {
  private parts = '';
  private isText = false;
  private isPronunciation = false;

  open(name: string): void {
    if (name === 't') this.isText = true;
    else if (name === 'rPh') this.isPronunciation = true;
  }

  text(text: string): void {
    if (this.isText && !this.isPronunciation) this.parts += text;
  }

  close(name: string): void {
    if (name === 't') this.isText = false;
    else if (name === 'rPh') this.isPronunciation = false;
  }

  /** Return the collected text and start again with an empty one. */
  take(): string {
    const text = this.parts;
    this.parts = '';
    return unescaped(text);
  }
}
