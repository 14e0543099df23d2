import { join } from 'node:path';
import {
  copiesText,
  ensureCopies,
  NO_MAPPING,
  visitFile,
  type Mapping,
  type Origin,
  type RowError,
  type Visit,
} from '@data-import/files';
import { kindOf } from '../rows/folder.js';
import type { Kind } from '../kinds/kinds.js';
import { OPEN } from './guess-values.js';
import { isNeeded, type ProposedEntry } from './propose-files.js';
import { parseMapping } from '../kinds/mapping.js';
import { toRow } from '../rows/to-row.js';
import { FIELDS } from '../kinds/fields.js';

const SHOWN_ROWS = 3;

/** Different causes of which a row each is shown. */
const SHOWN_PROBLEMS = 5;

/** A row as it would be sent, or why it would not. */
export interface ShownRow {
  readonly origin: Origin;
  readonly account: string | undefined;
  /** Of an item of a list. */
  readonly list?: string;
  readonly item?: string;
  readonly problem?: string;
}

/** A file for which a mapping is proposed. */
export interface MappedFile {
  readonly folder: string;
  readonly name: string;
  /** A folder for copies of what lies within another file. */
  readonly temporary: string;
}

export interface FirstRows {
  readonly rows: readonly ShownRow[];
  readonly remarks: readonly string[];
}

/**
 * The first rows of a file of each kind as they would be sent with a proposal, or the first items of a list, and one for each cause
 * for which rows of its first block fail.
 *
 * @throws UnreadableInput; WrongUsage for a proposal that has to be filled in
 */
export async function firstRows(file: MappedFile, entries: readonly ProposedEntry[]): Promise<FirstRows> {
  const { name } = file;
  // What has to be filled in for other files does not matter.
  const own = entries.filter((entry) => isNeeded(entry) && isNamed(entry, name));
  const mapping = parseMapping(JSON.stringify({ files: own.map(settled) }), 'the proposal');
  const shown: FirstRows[] = [];
  for (const part of mapping.partsOf(name)) {
    const given = mapping.kindsOf(part);
    for (const kind of given.length > 0 ? given : [kindOf(part)])
      if (kind !== undefined) shown.push(await firstRowsOf(kind, { ...file, name: part }, mapping));
  }
  return {
    rows: shown.flatMap(({ rows }) => rows),
    // What is said of a file is said once.
    remarks: [...new Set(shown.flatMap(({ remarks }) => remarks))],
  };
}

/** An entry, or a list of it, without the fields that have to be filled in; its rows are shown all the same. */
function settled(part: Partial<ProposedEntry>): object {
  const { left = [], ignore = [], fields, constants, ...entry } = part;
  const known = (values: object = {}): object =>
    Object.fromEntries(
      Object.entries(values).flatMap(([field, value]: [string, unknown]) =>
        value === OPEN ? [] : [[field, isList(value) ? settled(value) : value]],
      ),
    );
  return { ...entry, fields: known(fields), constants: known(constants), ignore: [...ignore, ...left] };
}

function isList(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'from' in value;
}

async function firstRowsOf(
  kind: Kind,
  { folder, name, temporary }: MappedFile,
  mapping: Mapping,
): Promise<FirstRows> {
  const reading = mapping.get(kind) ?? NO_MAPPING;
  const workFolder = join(temporary, 'unpacked');
  const copies = await ensureCopies([{ folder, name, kind }], { workFolder, mappingOf: () => reading });
  const rows: ShownRow[] = [];
  const visit = showing(rows, reading.of(name).join?.list);
  const options = { folder, fields: FIELDS[kind], mapping: reading, copies };
  await visitFile(options, name, visit, { blockRead: () => Promise.resolve(false) });
  return { rows, remarks: copiesText(copies) };
}

function isNamed({ match, fields = {} }: ProposedEntry, name: string): boolean {
  const lists = Object.values(fields) as { from?: string | string[] }[];
  return [match, ...lists.map(({ from = [] }) => from)].flat().includes(name);
}

/** Adds the rows that are shown. @param list whose items they are; undefined for rows of their own */
function showing(rows: ShownRow[], list: string | undefined): Visit {
  const causes = new Set<string>();
  let good = 0;
  return (record, problem, reader) => {
    const { file, line } = record;
    const row = toRow(record, problem, reader);
    const part = list === undefined || problem ? undefined : reader.part(record);
    const error = part ? part.error : row.error;
    const cause = error && `${error.attr} ${error.detail}`;
    if (cause === undefined) good += 1;
    if (cause === undefined ? good > SHOWN_ROWS : causes.size >= SHOWN_PROBLEMS || causes.has(cause)) return;
    const shown = { origin: { file, line }, account: row.account, ...(list !== undefined && { list }) };
    if (error) rows.push({ ...shown, problem: problemText(error) });
    else rows.push({ ...shown, item: part?.fields?.without() ?? (row.error ? '' : row.item) });
    if (cause !== undefined) causes.add(cause);
  };
}

function problemText({ attr, detail, seen }: RowError): string {
  const value = seen === undefined ? '' : ` It is ${seen}.`;
  return `${attr === '' ? '' : `${attr}: `}${detail}${value}`;
}
