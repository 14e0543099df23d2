import {
  ACCOUNTS,
  FileRecords,
  isTable,
  JsonRows,
  NO_MAPPING,
  TOO_LONG,
  UnreadableInput,
  WrongUsage,
  type Fields,
  type FileOptions,
  type ItemFields,
  type RowError,
  type Visit,
} from '#files';
import { CommandError } from '../../infrastructure/errors/command-error.js';
import type { LineFormat, LineProblem, NumberedReading, Reading } from './line-reading.js';

/** Formats of a file of accounts (choices S7, S9). */
export const FILE_FORMATS = ['ndjson', 'csv'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** Length limit of a line, in bytes without the line feed. */
export const LINE_BYTES_MAX = 1_048_576;

const LINE_TOO_LONG: LineProblem = {
  code: 'max_length',
  detail: `The line is longer than ${LINE_BYTES_MAX} bytes.`,
};

/** A file of accounts, where its bytes come from, and its mapping. */
export type AccountFile = { readonly name: string } & Partial<
  Pick<FileOptions, 'folder' | 'bytes' | 'copies' | 'mapping'>
>;

/**
 * Read a file of accounts line by line, in constant memory. Blank lines count as lines but are skipped.
 *
 * @param format undefined for what the file's name or its mapping says
 * @param lines how to read a line. With a mapping, columns that no such line has are passed over
 * @returns blocks of readings, in line order; one reading for each line (of a table: row) that is not blank
 * @throws CommandError `invalid_header` for a table without a valid header, or whose form is not that of the mapping;
 *   `file_not_readable`
 * Source: choices S7, S9.
 */
export async function* readAccountFile(
  format: FileFormat | undefined,
  file: AccountFile,
  lines: LineFormat,
): AsyncGenerator<NumberedReading[]> {
  let records: FileRecords | undefined;
  try {
    const { name } = file;
    const options = {
      ...{ folder: '', mapping: NO_MAPPING, ...file },
      fields: file.mapping ? withOthers(lines.fields) : lines.fields,
      isTable: format === undefined ? undefined : format === 'csv',
    };
    records = await FileRecords.open(options, name, 0, { isReused: true });
    const isRow = isTable(options, name);
    if (isRow && records.rows instanceof JsonRows)
      throw new CommandError('invalid_header', `${name} has no header row.`);
    const isPlain = !isRow && options.mapping.of(name).isEmpty;
    for (let isMore = true; isMore;) {
      const readings: NumberedReading[] = [];
      isMore = await records.read(Infinity, (record, problem, reader) => {
        const reading =
          isPlain && !problem ? lineOf(record, lines) : rowOf([record, problem, reader], isRow, lines);
        readings.push({ line: record.line, ...reading });
      });
      yield readings;
    }
  } catch (error) {
    throw refusal(error);
  } finally {
    await records?.close();
  }
}

/** With a mapping that serves other commands too, what the lines of this one do not have is no error. */
function withOthers(fields: Fields): Fields {
  const problemOf = (name: string): string | undefined =>
    ACCOUNTS.types.has(name) ? undefined : ACCOUNTS.rest?.problemOf(name);
  return fields.rest ? fields : { ...fields, rest: { field: 'account', problemOf } };
}

/** @param code of a file whose content is not what the command or its mapping says @returns what to throw for an error of reading */
export function refusal(error: unknown, code = 'invalid_header'): unknown {
  if (!(error instanceof UnreadableInput || error instanceof WrongUsage)) return error;
  const isUnreadable = error instanceof UnreadableInput;
  return new CommandError(isUnreadable ? 'file_not_readable' : code, error.message, { cause: error });
}

type Found = Parameters<Visit>;

function lineOf({ bytes, from, to }: Found[0], lines: LineFormat): Reading {
  if (to - from > LINE_BYTES_MAX) return { problem: LINE_TOO_LONG };
  return readJsonLine(bytes.toString('utf8', from, to), lines);
}

function rowOf([record, problem, reader]: Found, isRow: boolean, lines: LineFormat): Reading {
  if (problem === TOO_LONG || record.to - record.from > LINE_BYTES_MAX) return { problem: LINE_TOO_LONG };
  if (problem) return { problem: problemOf(problem) };
  const { fields, error } = reader.part(record);
  const isOwn = ({ attr }: RowError): boolean => attr === '' || lines.fields.types.has(attr);
  if (error && (isOwn(error) || !fields)) return { problem: problemOf(error) };
  return readJsonLine(fields ? textOf(fields, lines.fields) : '{}', lines, isRow);
}

function problemOf({ code, attr, detail }: RowError): LineProblem {
  return { code: code as LineProblem['code'], detail: attr === '' ? detail : `${attr}: ${detail}` };
}

/** The JSON of a line, in which `control.notes` is a member of `control`. @param known the fields of such a line */
function textOf(fields: ItemFields, { rest, types }: Fields): string {
  const all = fields.entries();
  const own = rest ? all : all.filter(([name]) => types.has(name));
  return own.some(([name]) => name.includes('.')) || own.length < all.length
    ? objectOf(own)
    : fields.without();
}

function objectOf(entries: readonly (readonly [name: string, json: string])[]): string {
  const members: string[] = [];
  const nested = new Map<string, (readonly [string, string])[]>();
  for (const [name, json] of entries) {
    const [object = '', ...path] = name.split('.');
    if (path.length === 0) members.push(`${JSON.stringify(name)}:${json}`);
    else nested.set(object, [...(nested.get(object) ?? []), [path.join('.'), json]]);
  }
  for (const [name, own] of nested) members.push(`${JSON.stringify(name)}:${objectOf(own)}`);
  return `{${members.join(',')}}`;
}

/** @param text not blank @param isRow whether it was made of a row of a table */
export function readJsonLine(text: string, { readJson }: LineFormat, isRow = false): Reading {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: { code: 'parse_error', detail: 'The line is not JSON.' } };
  }
  return readJson(value, text, isRow);
}
