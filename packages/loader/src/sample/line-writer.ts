import { Appender, openNew } from '@data-import/files';

/** Writes the lines of a new file. */
export class LineWriter extends Appender {
  /** Lines that were added. */
  lines = 0;

  /** @throws WrongUsage when the file exists */
  static async create(path: string): Promise<LineWriter> {
    return new LineWriter(await openNew(path));
  }

  override add(line: string): void {
    super.add(`${line}\n`);
    this.lines += 1;
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.file.close();
    }
  }
}
