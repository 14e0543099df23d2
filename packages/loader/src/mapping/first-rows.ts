import { join } from 'node:path';
import {
  copiesText,
  ensureCopies,
  partOf,
  visitFile,
  type Visit,
  NO_MAPPING,
  type Mapping,
  type Origin,
  type RowError,
} from '@data-import/files';
import { parseMapping } from '../kinds/mapping.js';
import { toRow } from '../rows/to-row.js';
import { kindOf } from '../rows/folder.js';
import { FIELDS, type FieldOwner, type MappedKind } from '../kinds/fields.js';
import { formProblem } from './form-rules.js';
import { openPlaces, withoutOpen } from './open-places.js';
import { isNeeded, type ProposedEntry } from './propose-files.js';

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
  /** Why it is not sent. */
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
  const mapping = parseMapping(JSON.stringify({ files: own.map(withoutOpen) }), 'the proposal');
  const shown: FirstRows[] = [];
  const parts = mapping.partsOf(name);
  for (const part of parts) {
    const given = mapping.kindsOf(part);
    for (const kind of given.length > 0 ? given : [kindOf(part)]) {
      if (kind === undefined) continue;
      const { part: of } = partOf(part);
      const entry = own.find((one) => one.kind === kind && (!of || one.form?.[of.is] === of.text));
      shown.push(await firstRowsOf(kind, { ...file, name: part }, { mapping, open: openPlaces(entry) }));
    }
  }
  return {
    rows: shown.flatMap(({ rows }) => rows),
    // What is said of a file is said once.
    remarks: [...new Set(shown.flatMap(({ remarks }) => remarks))].filter(
      // Of several sheets each is another that is not read.
      (remark) => parts.length === 1 || !remark.includes(' is read, and not '),
    ),
  };
}

async function firstRowsOf(
  kind: MappedKind,
  { folder, name, temporary }: MappedFile,
  { mapping, open }: { readonly mapping: Mapping<MappedKind>; readonly open: readonly string[] },
): Promise<FirstRows> {
  const reading = mapping.get(kind) ?? NO_MAPPING;
  const workFolder = join(temporary, 'unpacked');
  const copies = await ensureCopies([{ folder, name, kind }], { workFolder, mappingOf: () => reading });
  const rows: ShownRow[] = [];
  const list = reading.of(name).join?.list;
  const visit = showing(rows, {
    owner: (list === undefined ? kind : `${kind}.${list}`) as FieldOwner,
    list,
    // What the words of a column mean matters for the rows with them only.
    open: open.filter(
      (place) => !place.includes('.values.') && place.startsWith(list === undefined ? '' : `fields.${list}.`),
    ),
  });
  const options = { folder, fields: FIELDS[kind], mapping: reading, copies };
  await visitFile(options, name, visit, { blockRead: () => Promise.resolve(false) });
  return { rows, remarks: copiesText(copies) };
}

function isNamed({ match, fields = {} }: ProposedEntry, name: string): boolean {
  const lists = Object.values(fields) as { from?: string | string[] }[];
  return [match, ...lists.map(({ from = [] }) => from)].flat().includes(name);
}

/** How the rows of a file are shown. */
interface Showing {
  readonly owner: FieldOwner;
  /** Whose items the rows are; undefined for rows of their own. */
  readonly list: string | undefined;
  /** Places of the mapping that have to be filled in. */
  readonly open: readonly string[];
}

/** Adds the rows that are shown. */
function showing(rows: ShownRow[], { owner, list, open }: Showing): Visit {
  const causes = new Set<string>();
  let good = 0;
  return (record, problem, reader) => {
    const { file, line } = record;
    const row = toRow(record, problem, reader);
    const part = list === undefined || problem ? undefined : reader.part(record);
    const unread = part ? part.error : row.error;
    const item = unread ? undefined : (part?.fields?.without() ?? (row.error ? undefined : row.item));
    const error = unread ?? ruleBroken(owner, item, open);
    const cause = error && `${error.attr} ${error.detail}`;
    if (cause === undefined) good += 1;
    if (cause === undefined ? good > SHOWN_ROWS : causes.size >= SHOWN_PROBLEMS || causes.has(cause)) return;
    const why = error ? problemText(error) : open.length > 0 && `fill in ${open.join(', ')} of the mapping.`;
    rows.push({
      origin: { file, line },
      account: row.account,
      ...(list !== undefined && { list }),
      ...(item !== undefined && { item }),
      ...(why && { problem: why }),
    });
    if (cause !== undefined) causes.add(cause);
  };
}

/** Why the service rejects an item by its form. What is open is said of every row. */
function ruleBroken(
  owner: FieldOwner,
  item: string | undefined,
  open: readonly string[],
): RowError | undefined {
  if (item === undefined) return undefined;
  const fields = open.flatMap((place) => /(?:.*\.)?(?:fields|constants)\.([^.]+)/.exec(place)?.[1] ?? []);
  const problem = formProblem(owner, JSON.parse(item) as object, fields);
  if (!problem) return undefined;
  const { attr, detail, value } = problem;
  return { code: 'invalid', attr, detail, ...(value !== undefined && { seen: JSON.stringify(value) }) };
}

function problemText({ attr, detail, seen }: RowError): string {
  const value = seen === undefined ? '' : ` It is ${seen}.`;
  return `${attr === '' ? '' : `${attr}: `}${detail}${value}`;
}
