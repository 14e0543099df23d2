import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { RichText } from './cell-text.js';
import { XmlScanner } from './xml.js';

/** Bytes of texts that are written at a time. */
const PAGE_BYTES = 262_144;

/** Pages that stay in memory: 32 MiB. */
const PAGES_MAX = 128;

interface Page {
  /** Number of its first text. */
  readonly first: number;
  readonly count: number;
  /** In the file: the end of each text, four bytes each, and then the texts. */
  readonly offset: number;
  readonly bytes: number;
}

/**
 * The texts that the cells of a workbook share. There may be more of them than memory holds, so they are in a file; cells name them nearly in
 * their order, or name few of them often. It is read at once and not in the background: a cell needs its text before the next one.
 */
export class SharedStrings {
  private readonly file: number;
  private readonly pages: Page[] = [];
  /** The last used one is the last. */
  private readonly held = new Map<Page, Buffer>();
  private waiting: string[] = [];
  private waitingBytes = 0;
  count = 0;

  /** @param path of a file that is made for them, mode 0600 */
  constructor(
    private readonly path: string,
    private readonly pageBytes = PAGE_BYTES,
    private readonly pagesMax = PAGES_MAX,
  ) {
    this.file = openSync(path, 'w+', 0o600);
  }

  /** @throws Error with a sentence without its subject */
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

  /** @returns undefined when there is none of that number */
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
    rmSync(this.path, { force: true });
  }

  private add(text: string): void {
    this.waiting.push(text);
    this.waitingBytes += text.length;
    this.count += 1;
    if (this.waitingBytes >= this.pageBytes) this.writePage();
  }

  private writePage(): void {
    if (this.waiting.length === 0) return;
    const texts = this.waiting.map((text) => Buffer.from(text));
    const ends = Buffer.alloc(texts.length * 4);
    let end = 0;
    for (const [index, { length }] of texts.entries()) {
      end += length;
      ends.writeUInt32LE(end, index * 4);
    }
    const all = Buffer.concat([ends, ...texts]);
    const page = {
      first: this.count - texts.length,
      count: texts.length,
      offset: fstatSync(this.file).size,
      bytes: all.length,
    };
    writeSync(this.file, all, 0, all.length, page.offset);
    this.pages.push(page);
    this.hold(page, all);
    this.waiting = [];
    this.waitingBytes = 0;
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
    const held = this.held.get(page);
    const bytes = held ?? Buffer.allocUnsafeSlow(page.bytes);
    if (held) this.held.delete(page);
    else readSync(this.file, bytes, 0, page.bytes, page.offset);
    this.hold(page, bytes);
    return bytes;
  }

  private hold(page: Page, bytes: Buffer): void {
    this.held.set(page, bytes);
    if (this.held.size <= this.pagesMax) return;
    const [oldest] = this.held.keys();
    if (oldest) this.held.delete(oldest);
  }
}
