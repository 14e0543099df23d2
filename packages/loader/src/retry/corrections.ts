import { join } from 'node:path';
import {
  FileRecords,
  namesIn,
  NO_MAPPING,
  visitFile,
  WrongUsage,
  type KindMapping,
  type ReadRow,
} from '@data-import/files';
import type { Failed, RawText } from '../journal/events.js';
import { isSameRaw, rawText } from '../journal/raw-text.js';
import type { NumberedEvent } from '../journal/journal.js';
import type { JournalState } from '../journal/state.js';
import { kindOfRowFile, rowFileName, type RowForms } from './row-files.js';
import type { Kind } from '../kinds/kinds.js';
import { matchRows } from './matching.js';
import { toRow } from '../rows/to-row.js';
import { FIELDS } from '../kinds/fields.js';

/** A row that has failed at least once. */
export interface FailedRow {
  /** The failure of the row with its text in the input. */
  readonly first: Failed;
  /** The last failure of the row. */
  last: Failed;
  /**
   * The text of the row in the file with failures. For a row that has arrived, this is the text that was sent, because
   * the file may not have been rewritten since.
   */
  raw: RawText;
  readonly isThere: boolean;
}

/** A row of the files with failures, and the failed row that it corrects or equals. */
export interface Correction {
  readonly row: ReadRow;
  readonly of: FailedRow;
  /** Whether its text differs from the text that failed last. */
  readonly isEdited: boolean;
}

/** Every row of a kind that has failed at least once, in the order of the files. */
export async function failedRows(
  kind: Kind,
  events: AsyncIterable<NumberedEvent>,
  state: JournalState,
): Promise<FailedRow[]> {
  const rows = new Map<number, FailedRow>();
  for await (const { event } of events) {
    if (!(event.event === 'failed' || event.event === 'arrived') || event.kind !== kind) continue;
    const known = rows.get(event.start);
    if (event.event === 'arrived') {
      if (known?.isThere) known.raw = event.raw ?? known.first.raw;
    } else if (known) {
      known.last = event;
      known.raw = event.raw;
    } else {
      const isThere = state.of(kind).arrived.has(event.start);
      rows.set(event.start, { first: event, last: event, raw: event.raw, isThere });
    }
  }
  return [...rows.values()].sort((a, b) => a.first.start - b.first.start);
}

/**
 * Read the current content of `failures/` for a kind.
 *
 * @throws WrongUsage if a row is not one of those that failed, or if a header was changed
 */
export async function readCorrections(
  folder: string,
  kind: Kind,
  failed: readonly FailedRow[],
  { mapping, forms }: { mapping: KindMapping; forms: RowForms },
): Promise<Correction[]> {
  const names = (await namesIn(folder)).filter((name) => kindOfRowFile(name) === kind);
  const corrections: Correction[] = [];
  for (const name of names) {
    const candidates = failed.filter(({ first }) => rowFileName(kind, first.origin.file, forms) === name);
    const cameFrom = candidates[0]?.first.origin.file;
    const form = forms.get(cameFrom ?? '');
    const options = {
      folder,
      fields: FIELDS[kind],
      mapping: form?.isJoined ? NO_MAPPING : mapping,
      cameFrom,
    };
    const header = form?.header;
    if (header !== undefined && !(await FileRecords.header(options, name))?.isSame(header))
      throw new WrongUsage(
        `${join(folder, name)}: the header was changed. Put that of the input back: ${header}`,
      );
    const rows: ReadRow[] = [];
    await visitFile(options, name, (...record) => {
      rows.push(toRow(...record));
    });
    const found = matchRows(
      rows.map((row) => ({
        raw: rawText(row.raw),
        account: row.account,
        key: row.error ? undefined : row.key,
      })),
      candidates.map(({ last: { account, key }, raw, isThere }) => ({ raw, account, key, isThere })),
    );
    for (const [index, row] of rows.entries()) {
      const of = candidates[found[index] ?? -1];
      if (!of) {
        throw new WrongUsage(
          `${join(folder, name)}:${row.origin.line} is none of the rows that failed. Rows can be corrected and removed there; add rows to a file of the folder that is loaded.`,
        );
      }
      corrections.push({ row, of, isEdited: !isSameRaw(rawText(row.raw), of.last.raw) });
    }
  }
  return stillRefused(corrections, failed, forms);
}

/**
 * Refuse again the rows of joined files that the loader had refused. They stand in the file as whole rows and could be
 * sent, but they stay refused until they are edited. There is one exception: if several rows had the same key and only
 * one of them is left, it is sent, unless another one has arrived.
 */
function stillRefused(
  corrections: readonly Correction[],
  failed: readonly FailedRow[],
  forms: RowForms,
): Correction[] {
  const found = new Set(corrections.map(({ of }) => of));
  const counts = new Map<string | undefined, number>();
  for (const row of failed) {
    const key = repeatedKey(row.first);
    if (row.isThere || found.has(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return corrections.map((correction) => {
    const { row, isEdited, of } = correction;
    const [error] = of.last.errors;
    const isJoined = forms.get(of.first.origin.file)?.isJoined === true;
    if (isEdited || !of.last.isUnread || !isJoined || !error) return correction;
    const key = repeatedKey(of.first);
    if (key !== undefined && counts.get(key) === 1) return correction;
    const { account, origin, raw, start, end } = row;
    return { ...correction, row: { account, origin, raw, start, end, error } };
  });
}

/** The key that a row of joined files shares with other rows, if it failed for this reason. */
export function repeatedKey({ errors }: Failed): string | undefined {
  return errors[0]?.code === 'repeated_key' ? errors[0].seen : undefined;
}
