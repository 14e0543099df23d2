/*
 * A part of a file is a sheet of a workbook or the records at one path of a JSON document, where a mapping reads several of them. It has
 * a name of its own, such as `Ledger.xlsx (sheet 2025)`, by which everything that knows files knows it. A file that is read as one part
 * keeps its name.
 */
const SHEET = /^(.*\.xlsx) \(sheet (.*)\)$/is;
const RECORDS = /^(.*) \(records (.*)\)$/s;

/** Which part of a file. */
export interface Part {
  readonly is: 'sheet' | 'records';
  readonly text: string;
}

export function partName(file: string, { is, text }: Part): string {
  return `${file} (${is} ${text})`;
}

/** @returns the file that contains a part, and which part it is; a file itself has none */
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

/** Whether a file could be taken for a part of another one. */
export function isLikePart(name: string): boolean {
  return /\.xlsx \(sheet /i.test(name) || RECORDS.test(name);
}

/** Where a row stands, as people are told it. */
export interface ShownPlace {
  readonly file: string;
  /** Null where it is no sheet of several. */
  readonly sheet: string | null;
  readonly line: number;
}

/** Several records of a JSON document can stand on one line; what tells them apart stands behind the decimal point of their line. */
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

/** Such as `Ledger.xlsx (sheet 2025):9`. */
export function placeText({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${Math.floor(line)}`;
}
