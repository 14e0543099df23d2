import type { CsvFinder } from '@data-import/files';
import WORDS from './words.json' with { type: 'json' };

/** The first words of a line with a total, which is not a row. */
export const TOTAL = new RegExp(`^${WORDS.totals}`, 'i');

/** The first letters of these words. */
const FIRST_LETTERS = new Set(Buffer.from('GgSsTtZz'));

const SPACE = 0x20;

/** The most texts that are kept, more than any report has. The totals of a file with more of them are not listed. */
const TEXTS_MAX = 1_000;
const LINES_SHOWN = 3;

/** Lines with the same text of a total in the same column and with the same cells filled. */
interface TotalLines {
  readonly index: number;
  readonly text: string;
  readonly filled: readonly boolean[];
  readonly isFirst: boolean;
  readonly lines: number[];
  count: number;
}

/** The columns that make a line a row: the account, and those that identify or date the row. */
export interface RowColumns {
  readonly account: number;
  readonly others: readonly { readonly index: number; readonly isDate: boolean }[];
}

/** Lines of a table that may be totals and not rows. */
export class Totals {
  private readonly found = new Map<string, TotalLines>();
  private isWhole = true;

  add(finder: CsvFinder, bytes: Buffer, line: number): void {
    let filled: boolean[] | undefined;
    for (let index = 0; index < finder.count; index += 1) {
      let at = finder.cellFrom(index);
      while (bytes[at] === SPACE) at += 1;
      if (!FIRST_LETTERS.has(bytes[at] ?? 0)) continue;
      const text = finder.cell(bytes, index).trim();
      if (!TOTAL.test(text)) continue;
      filled ??= Array.from({ length: finder.count }, (_, cell) => finder.cell(bytes, cell).trim() !== '');
      this.addLine({ index, text, filled, isFirst: filled.indexOf(true) === index, lines: [line], count: 1 });
    }
  }

  /**
   * The lines that a mapping can leave out by the text of their first cell.
   *
   * @param header the names of the columns
   * @param kinds the kinds of rows in the file. A line that is a row of one of them is kept, and so is every line with
   * the same text
   */
  leaveOut(
    header: readonly string[],
    kinds: readonly RowColumns[],
  ): { readonly rule: Readonly<Record<string, readonly string[]>>; readonly said: readonly string[] } {
    const all = [...this.found.values()];
    const isRow = (one: TotalLines): boolean => kinds.some((columns) => isRowOf(one, columns));
    const rows = new Set(all.filter(isRow).map(({ index, text }) => `${index} ${text}`));
    const totals = all.filter(({ index, text, isFirst }) => isFirst && !rows.has(`${index} ${text}`));
    const named = totals.filter(({ text, index }) => !text.includes('*') && header[index] !== undefined);
    if (named.length === 0 || !this.isWhole)
      return {
        rule: {},
        said: this.isWhole ? [] : ['it has too many totals to list: write "leave_out" for them.'],
      };
    const rule: Record<string, string[]> = {};
    for (const { index, text } of named) {
      const texts = (rule[header[index] ?? ''] ??= []);
      if (!texts.includes(text)) texts.push(text);
    }
    const lines = named.flatMap((one) => one.lines).sort((one, other) => one - other);
    const more = named.reduce((sum, one) => sum + one.count, 0) - Math.min(lines.length, LINES_SHOWN);
    const shown = `${lines.slice(0, LINES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const where = Object.entries(rule).map(
      ([name, texts]) => `${texts.slice(0, LINES_SHOWN).join(', ')} in ${name}`,
    );
    return { rule, said: [`lines with ${where.join(' and ')} are left out: ${shown}. Check it.`] };
  }

  private addLine(one: TotalLines): void {
    const key = `${one.index} ${one.text} ${one.filled.join()}`;
    const known = this.found.get(key);
    if (known) {
      known.count += 1;
      if (known.lines.length < LINES_SHOWN) known.lines.push(...one.lines);
    } else if (this.found.size < TEXTS_MAX) this.found.set(key, one);
    else this.isWhole = false;
  }
}

function isRowOf({ index, filled }: TotalLines, { account, others }: RowColumns): boolean {
  if (account !== -1 && filled[account] !== true) return false;
  if (account === -1 && others.length === 0) return true;
  // A date column does not count if the word for a total stands in it, because the word is not a day. In other columns,
  // an account, an id or a text may begin with the word.
  return others.some((column) => filled[column.index] === true && !(column.isDate && column.index === index));
}
