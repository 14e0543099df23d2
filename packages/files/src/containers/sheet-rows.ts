import { RichText, unescaped } from './cell-text.js';
import { numberText, PLAIN, type NumberFormat } from './number-formats.js';
import { attributeOf, XmlScanner, type XmlVisitor } from './xml.js';

/** The most rows that Excel allows in a sheet. */
const ROWS_MAX = 1_048_576;
const COLUMNS_MAX = 16_384;
/** The most columns of a row that may contain text: an item has at most 1,000 members besides its own fields. */
const COLUMNS_READ_MAX = 1_024;

/** A row of a sheet that is not empty. */
export interface SheetRow {
  /** The number of the row in the sheet, counted from 1. */
  readonly number: number;
  /** The texts of its cells, up to the last cell that has one. */
  readonly cells: readonly string[];
}

/** The parts of a workbook that are needed to read the cells of a sheet. */
export interface SheetContext {
  readonly sharedString: (index: number) => string | undefined;
  /** The format for each style number of a cell. */
  readonly formats: readonly NumberFormat[];
  readonly isFrom1904: boolean;
  /** Whether the workbook contains no values of formulas, because the program that wrote it has not computed them. */
  readonly isWithoutValues: boolean;
}

/** The known error values of formulas; other errors are written as #ERROR!. */
const ERRORS =
  /^#(?:N\/A|NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|GETTING_DATA|SPILL!|CALC!|CONNECT!|BLOCKED!|UNKNOWN!|FIELD!|BUSY!)$/;

/** Read the rows of a sheet, in order, with the texts of their cells. */
export async function* rowsOfSheet(
  chunks: AsyncIterable<string>,
  context: SheetContext,
): AsyncGenerator<SheetRow[]> {
  const rows = new Rows(context);
  const scanner = new XmlScanner(rows);
  for await (const chunk of chunks) {
    scanner.push(chunk);
    if (rows.found.length > 0) yield rows.found.splice(0);
  }
  scanner.end();
  if (rows.found.length > 0) yield rows.found.splice(0);
}

class Rows implements XmlVisitor {
  readonly found: SheetRow[] = [];
  private number = 0;
  private cells: string[] = [];
  /** The column of the current cell, counted from 0. */
  private column = -1;
  private type = '';
  private style = 0;
  private value: string | undefined;
  private isFormula = false;
  private isInValue = false;
  private inline: RichText | undefined;
  private isInRows = false;

  constructor(private readonly context: SheetContext) {}

  open(name: string, tag: string): void {
    if (name === 'sheetData') this.isInRows = true;
    else if (!this.isInRows) return;
    else if (name === 'c') this.openCell(tag);
    else if (name === 'v') this.openValue();
    else if (name === 'row') this.openRow(tag);
    else if (name === 'f') this.isFormula = true;
    else if (name === 'is') this.inline = new RichText();
    else this.inline?.open(name);
  }

  text(text: string): void {
    if (this.isInValue) this.value = (this.value ?? '') + text;
    else this.inline?.text(text);
  }

  close(name: string): void {
    if (!this.isInRows) return;
    if (name === 'c') this.closeCell();
    else if (name === 'v') this.isInValue = false;
    else if (name === 'row') this.closeRow();
    else if (name === 'is') {
      this.value = this.inline?.take();
      this.inline = undefined;
    } else if (name === 'sheetData') this.isInRows = false;
    else this.inline?.close(name);
  }

  private openRow(tag: string): void {
    const number = attributeOf(tag, 'r');
    const next = number === undefined ? this.number + 1 : Number(number);
    if (!(next > this.number && next <= ROWS_MAX))
      throw new Error(`has row ${number ?? next} behind row ${this.number}`);
    this.number = next;
    this.column = -1;
  }

  private closeRow(): void {
    const { number, cells } = this;
    while (cells.at(-1) === '') cells.pop();
    if (cells.length === 0) return;
    this.found.push({ number, cells });
    this.cells = [];
  }

  private openCell(tag: string): void {
    const reference = attributeOf(tag, 'r');
    const column = reference === undefined ? this.column + 1 : columnOf(reference);
    if (!(column > this.column && column < COLUMNS_MAX))
      throw new Error(`has cell ${reference ?? ''} of row ${this.number} not in its place`);
    this.column = column;
    this.type = attributeOf(tag, 't') ?? 'n';
    this.style = Number(attributeOf(tag, 's') ?? 0);
    this.value = undefined;
    this.isFormula = false;
  }

  private openValue(): void {
    this.isInValue = true;
    this.value = '';
  }

  private closeCell(): void {
    const text = this.textOfCell();
    if (text === '') return;
    if (this.column >= COLUMNS_READ_MAX)
      throw new Error(
        `has a text in column ${lettersOf(this.column)} of row ${this.number}, and is read up to column ${lettersOf(COLUMNS_READ_MAX - 1)}`,
      );
    while (this.cells.length < this.column) this.cells.push('');
    this.cells.push(text);
  }

  private textOfCell(): string {
    const { type, value = '', context } = this;
    const isWithoutValue = context.isWithoutValues || (value === '' && type !== 'str');
    if (this.isFormula && isWithoutValue) return '#FORMULA!';
    if (value === '') return '';
    switch (type) {
      case 's': {
        const text = context.sharedString(Number(value));
        if (text === undefined) throw new Error(`names a shared string ${value}, which is not there`);
        return text;
      }
      case 'str':
        return unescaped(value);
      case 'inlineStr':
        return value;
      case 'b':
        return Number(value) === 0 ? 'false' : 'true';
      case 'e':
        return ERRORS.test(value) ? value : `#ERROR! ${value}`;
      case 'd':
        return value.replace(/T00:00:00(?:\.0+)?$/, '');
      default: {
        const text = numberText(value, context.formats[this.style] ?? PLAIN, context.isFrom1904);
        if (text === undefined) throw new Error(`has a number in row ${this.number} that is none`);
        return text;
      }
    }
  }
}

/** @returns 27 for `AB12`; NaN if the text is not a cell reference */
function columnOf(reference: string): number {
  let column = 0;
  let at = 0;
  for (; at < reference.length; at += 1) {
    const letter = reference.charCodeAt(at) - 64;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return at === 0 ? NaN : column - 1;
}

/**
 * @param column counted from 0
 * @returns the letters of the column
 */
export function lettersOf(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? lettersOf(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}
