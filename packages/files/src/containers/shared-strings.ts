import { closeSync, openSync, readSync, rmSync, writevSync } from 'node:fs';
import { RichText } from './cell-text.js';
import { XmlScanner } from './xml.js';

/** The number of text bytes that are written together. */
const PAGE_BYTES = 16_384;

/** The most pages kept in memory: 32 MiB. */
const PAGES_MAX = 2_048;

/** The most UTF-8 bytes that one unit of a string becomes. */
const BYTES_OF_UNIT = 3;

interface Page {
  /** The number of the first text on the page. */
  readonly first: number;
  readonly count: number;
  /** The position of the page in the file. The page consists of the end of each text, four bytes each, and then the texts. */
  readonly offset: number;
  readonly bytes: number;
}

/**
 * The texts that the cells of a workbook share. They are kept in a file, because they may not fit into memory. Cells
 * refer to them nearly in order, or refer to a few of them often.
 *
 * Reading is synchronous, because a cell needs its text before the next cell can be read.
 */
export class SharedStrings {
  private readonly file: number;
  private readonly pages: Page[] = [];
  /** The pages in memory. The most recently used page is the last. */
  private readonly held = new Map<Page, Buffer>();
  private readonly ends: number[] = [];
  private texts: Buffer;
  private length = 0;
  private offset = 0;
  private count = 0;

  /** @param path the path of the file that is created for the texts, with mode 0600 */
  constructor(
    path: string,
    private readonly pageBytes = PAGE_BYTES,
    private readonly pagesMax = PAGES_MAX,
  ) {
    this.file = openSync(path, 'w+', 0o600);
    // An open file needs no name, and without one nothing is left of it when the process is killed.
    rmSync(path);
    this.texts = Buffer.allocUnsafeSlow(pageBytes * 2);
  }

  /** @throws Error whose message is a sentence without its subject */
  async read(chunks: AsyncIterable<string>): Promise<void> {
    const text = new RichText();
    const scanner = new XmlScanner({
      open: (name) => {
        text.open(name);
      },
      text: (found) => {
        text.text(found);
      },
      close: (name) => {
        text.close(name);
        if (name === 'si') this.add(text.take());
      },
    });
    for await (const chunk of chunks) scanner.push(chunk);
    scanner.end();
    this.writePage();
  }

  /** @returns undefined if no text has this number */
  get(index: number): string | undefined {
    const page = Number.isInteger(index) ? this.pageOf(index) : undefined;
    if (!page) return undefined;
    const bytes = this.bytesOf(page);
    const at = index - page.first;
    const texts = page.count * 4;
    const from = at === 0 ? texts : texts + bytes.readUInt32LE((at - 1) * 4);
    return bytes.toString('utf8', from, texts + bytes.readUInt32LE(at * 4));
  }

  close(): void {
    closeSync(this.file);
  }

  private add(text: string): void {
    const needed = this.length + text.length * BYTES_OF_UNIT;
    if (needed > this.texts.length) {
      const larger = Buffer.allocUnsafeSlow(needed);
      this.texts.copy(larger, 0, 0, this.length);
      this.texts = larger;
    }
    this.length += this.texts.write(text, this.length);
    this.ends.push(this.length);
    this.count += 1;
    if (this.length >= this.pageBytes) this.writePage();
  }

  private writePage(): void {
    const count = this.ends.length;
    if (count === 0) return;
    const ends = Buffer.alloc(count * 4);
    for (const [index, end] of this.ends.entries()) ends.writeUInt32LE(end, index * 4);
    const { offset, length } = this;
    writevSync(this.file, [ends, this.texts.subarray(0, length)], offset);
    const bytes = ends.length + length;
    this.pages.push({ first: this.count - count, count, offset, bytes });
    this.offset += bytes;
    this.length = 0;
    this.ends.length = 0;
  }

  private pageOf(index: number): Page | undefined {
    let [from, to] = [0, this.pages.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      const page = this.pages[middle];
      if (!page || index < page.first) to = middle;
      else if (index >= page.first + page.count) from = middle + 1;
      else return page;
    }
    return undefined;
  }

  private bytesOf(page: Page): Buffer {
    const { held } = this;
    let bytes = held.get(page);
    if (bytes) {
      held.delete(page);
    } else {
      bytes = this.memoryFor(page);
      readSync(this.file, bytes, 0, page.bytes, page.offset);
    }
    held.set(page, bytes);
    return bytes;
  }

  /**
   * Memory for a page: that of the least recently used page if it is large enough. Reusing it matters, because new
   * memory would be freed late.
   */
  private memoryFor({ bytes }: Page): Buffer {
    const oldest = this.held.size < this.pagesMax ? undefined : this.held.entries().next().value;
    if (oldest) this.held.delete(oldest[0]);
    return oldest && oldest[1].length >= bytes ? oldest[1] : Buffer.allocUnsafeSlow(bytes);
  }
}
