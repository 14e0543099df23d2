/**
 * A part of a file is a sheet of a workbook, or the records at one path of a JSON document. A file has parts if a
 * mapping reads several of them. Each part then has its own name, such as `Ledger.xlsx (sheet 2025)`, which is used like
 * the name of a file. A file that is read as a whole keeps its name.
 */
const SHEET = /^(.*\.xlsx) \(sheet (.*)\)$/is;
const RECORDS = /^(.*) \(records (.*)\)$/s;

/** A part of a file: a sheet, or a path of records. */
export interface Part {
  readonly is: 'sheet' | 'records';
  readonly text: string;
}

export function partName(file: string, { is, text }: Part): string {
  return `${file} (${is} ${text})`;
}

/** @returns the file that contains a part, and the part; undefined as the part if the name is that of a file */
export function partOf(name: string): { readonly file: string; readonly part: Part | undefined } {
  const sheet = SHEET.exec(name);
  const found = sheet ?? RECORDS.exec(name);
  if (!found) return { file: name, part: undefined };
  const [, file = '', text = ''] = found;
  return { file, part: { is: sheet ? 'sheet' : 'records', text } };
}

export function fileOf(name: string): string {
  return partOf(name).file;
}

/** Whether the name of a file looks like that of a part of another file. */
export function isLikePart(name: string): boolean {
  return /\.xlsx \(sheet /i.test(name) || RECORDS.test(name);
}

/** The place of a row, in the form that is shown to people. */
export interface ShownPlace {
  readonly file: string;
  /** Null unless the file has several sheets that are read. */
  readonly sheet: string | null;
  readonly line: number;
}

/**
 * The share of a line that one record takes. Several records of a JSON document can stand on one line; the decimals of
 * their line numbers tell them apart.
 */
export const LINE_SHARE = 1e-8;

export function shownPlace({
  file: name,
  line,
}: {
  readonly file: string;
  readonly line: number;
}): ShownPlace {
  const { file, part } = partOf(name);
  return { file, sheet: part?.is === 'sheet' ? part.text : null, line: Math.floor(line) };
}

/** The text of a place, such as `Ledger.xlsx (sheet 2025):9`. */
export function placeText({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${Math.floor(line)}`;
}
