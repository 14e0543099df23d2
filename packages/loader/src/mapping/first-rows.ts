import { join } from 'node:path';
import {
  copiesText,
  ensureCopies,
  partOf,
  visitFile,
  type Visit,
  type Origin,
  type RowError,
} from '@data-import/files';
import { parseMapping } from '../kinds/mapping.js';
import { toRow } from '../rows/to-row.js';
import { kindOf } from '../rows/folder.js';
import { FIELDS, type FieldOwner, type MappedKind } from '../kinds/fields.js';
import { formProblem } from './form-rules.js';
import { openPlaces, withoutOpen } from './open-places.js';
import { isNeeded } from './propose-files.js';
import type { ProposedEntry } from './propose.js';

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
export async function firstRows(
  { folder, name, temporary }: MappedFile,
  entries: readonly ProposedEntry[],
): Promise<FirstRows> {
  // Open parts of the entries for other files do not matter here.
  const own = entries.filter((entry) => isNeeded(entry) && isNamed(entry, name));
  const mapping = parseMapping(JSON.stringify({ files: own.map(withoutOpen) }), 'the proposal');
  const rows: ShownRow[] = [];
  const remarks = new Set<string>();
  const parts = mapping.partsOf(name);
  for (const part of parts) {
    const given = mapping.kindsOf(part);
    for (const kind of given.length > 0 ? given : [kindOf(part)]) {
      if (kind === undefined) continue;
      const { part: of } = partOf(part);
      const entry = own.find((one) => one.kind === kind && (!of || one.form?.[of.is] === of.text));
      const reading = mapping.of(kind);
      const copies = await ensureCopies([{ folder, name: part, kind }], {
        workFolder: join(temporary, 'unpacked'),
        mappingOf: () => reading,
      });
      for (const remark of copiesText(copies)) remarks.add(remark);
      const options = { folder, fields: FIELDS[kind], mapping: reading, copies };
      const visit = showing(rows, kind, reading.of(part).join?.list, openPlaces(entry));
      await visitFile(options, part, visit, { blockRead: () => Promise.resolve(false) });
    }
  }
  // If several sheets are read, the remark that other sheets are not read would be wrong.
  const isRight = (remark: string): boolean => parts.length === 1 || !remark.includes(' is read, and not ');
  return { rows, remarks: [...remarks].filter(isRight) };
}

function isNamed({ match, fields = {} }: ProposedEntry, name: string): boolean {
  const lists = Object.values(fields) as { from?: string | string[] }[];
  return [match, ...lists.map(({ from = [] }) => from)].flat().includes(name);
}

/**
 * A visitor that collects the rows to show.
 *
 * @param list the list whose items are shown; undefined if rows are shown
 * @param places the places of the mapping that have to be filled in
 */
function showing(
  rows: ShownRow[],
  kind: MappedKind,
  list: string | undefined,
  places: readonly string[],
): Visit {
  const owner = (list === undefined ? kind : `${kind}.${list}`) as FieldOwner;
  const of = list === undefined ? '' : `fields.${list}.`;
  // The meaning of a column's words matters only for rows that contain them.
  const open = places.filter((place) => !place.includes('.values.') && place.startsWith(of));
  // Every row lacks the fields that are open.
  const fields = open.flatMap((place) => /(?:.*\.)?(?:fields|constants)\.([^.]+)/.exec(place)?.[1] ?? []);
  const causes = new Set<string>();
  let good = 0;
  return (record, problem, reader) => {
    const { file, line } = record;
    const row = toRow(record, problem, reader);
    const part = list === undefined || problem ? undefined : reader.part(record);
    const unread = part ? part.error : row.error;
    const item = unread ? undefined : (part?.fields?.without() ?? (row.error ? undefined : row.item));
    const error =
      unread ?? (item === undefined ? undefined : formProblem(owner, JSON.parse(item) as object, fields));
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

function problemText({ attr, detail, seen }: RowError): string {
  const value = seen === undefined ? '' : ` It is ${seen}.`;
  return `${attr === '' ? '' : `${attr}: `}${detail}${value}`;
}
