import { join } from 'node:path';
import {
  copiesText,
  ensureCopies,
  partOf,
  visitFile,
  type Visit,
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

/** The most causes of failure for which a row is shown. */
const SHOWN_PROBLEMS = 5;

/** A row as it would be sent, or the reason why it would not be sent. */
export interface ShownRow {
  readonly origin: Origin;
  readonly account: string | undefined;
  /** The list, if this is an item of a list. */
  readonly list?: string;
  readonly item?: string;
  /** The reason why the row is not sent. */
  readonly problem?: string;
}

/** A file for which a mapping is proposed. */
export interface MappedFile {
  readonly folder: string;
  readonly name: string;
  /** A folder for copies of files that are inside other files. */
  readonly temporary: string;
}

export interface FirstRows {
  readonly rows: readonly ShownRow[];
  readonly remarks: readonly string[];
}

/**
 * Show the first rows of each kind in a file, or the first items of a list, as they would be sent with a proposal. For
 * each cause of failure in the first block, one failed row is shown.
 *
 * @throws UnreadableInput; WrongUsage for a proposal that has to be filled in
 */
export async function firstRows(file: MappedFile, entries: readonly ProposedEntry[]): Promise<FirstRows> {
  const { name } = file;
  // Open parts of the entries for other files do not matter here.
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
    // Each remark about the file appears once.
    remarks: [...new Set(shown.flatMap(({ remarks }) => remarks))].filter(
      // If several sheets are read, the remark that other sheets are not read would be wrong.
      (remark) => parts.length === 1 || !remark.includes(' is read, and not '),
    ),
  };
}

async function firstRowsOf(
  kind: MappedKind,
  { folder, name, temporary }: MappedFile,
  { mapping, open }: { readonly mapping: Mapping<MappedKind>; readonly open: readonly string[] },
): Promise<FirstRows> {
  const reading = mapping.of(kind);
  const workFolder = join(temporary, 'unpacked');
  const copies = await ensureCopies([{ folder, name, kind }], { workFolder, mappingOf: () => reading });
  const rows: ShownRow[] = [];
  const list = reading.of(name).join?.list;
  const visit = showing(rows, {
    owner: (list === undefined ? kind : `${kind}.${list}`) as FieldOwner,
    list,
    // The meaning of a column's words matters only for rows that contain them.
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

/** The context in which the rows of a file are shown. */
interface Showing {
  readonly owner: FieldOwner;
  /** The list whose items are shown; undefined if rows are shown. */
  readonly list: string | undefined;
  /** Places of the mapping that have to be filled in. */
  readonly open: readonly string[];
}

/** A visitor that collects the rows to show. */
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

/**
 * The reason why the service rejects an item for its form. Fields that are still open in the mapping are not reported
 * here, because every row lacks them.
 */
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
