import { open, type FileHandle } from 'node:fs/promises';
import { WrongUsage } from '../common/errors.js';

const BUFFERED_MAX = 262_144;

/** Writes the lines of a new file. */
export class LineWriter {
  private text = '';
  /** Lines that were added. */
  lines = 0;

  private constructor(private readonly file: FileHandle) {}

  /** @throws WrongUsage when the file exists, so that nobody's data is overwritten */
  static async create(path: string): Promise<LineWriter> {
    try {
      return new LineWriter(await open(path, 'wx'));
    } catch (error) {
      const why =
        (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'it is there already' : (error as Error).message;
      throw new WrongUsage(`${path} cannot be written: ${why}.`, { cause: error });
    }
  }

  add(line: string): void {
    this.text += `${line}\n`;
    this.lines += 1;
  }

  /** Write what was added, unless it is little. */
  async drain(): Promise<void> {
    if (this.text.length >= BUFFERED_MAX) await this.flush();
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.file.close();
    }
  }

  private async flush(): Promise<void> {
    const { text } = this;
    this.text = '';
    await this.file.writeFile(text);
  }
}
