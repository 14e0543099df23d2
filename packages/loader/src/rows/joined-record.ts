import {
  unreadableRow,
  type FoundRecord,
  type JsonRows,
  type Origin,
  type ReadRow,
  type RowError,
} from '@data-import/files';
import { withinBounds } from './item-bounds.js';

const LINE_FEED = 0x0a;

/** For each list, the places of its items: the index of the file in the preparation, and the line. */
export type ItemPlaces = Readonly<Record<string, readonly (readonly [file: number, line: number])[]>>;

/**
 * The record of a joined row in the sorted copy: a line with its error, a line with the places of its items (each JSON or empty), and
 * the row as NDJSON.
 */
export function joinedRecord(
  error: RowError | undefined,
  places: ItemPlaces | undefined,
  row: string,
): Buffer {
  return Buffer.from(
    `${error ? JSON.stringify(error) : ''}\n${places ? JSON.stringify(places) : ''}\n${row}`,
  );
}

/**
 * Read the record of a joined row.
 *
 * @param record the bytes of the record
 * @param reader a reader of NDJSON without a mapping
 * @param account the account by which the record was sorted; empty for a row without one
 * @param fileOf the name of a file, by its index
 */
export function joinedRow(
  record: FoundRecord,
  reader: JsonRows,
  account: string,
  fileOf: (index: number) => string,
): ReadRow {
  const { bytes, from } = record;
  const errorTo = bytes.indexOf(LINE_FEED, from);
  const placesTo = bytes.indexOf(LINE_FEED, errorTo + 1);
  const own = { ...record, from: placesTo + 1 };
  if (errorTo > from) {
    const error = JSON.parse(bytes.toString('utf8', from, errorTo)) as RowError;
    return unreadableRow(own, error, account === '' ? undefined : account);
  }
  const row = withinBounds(own, reader.row(own));
  if (placesTo === errorTo + 1) return row;
  const placeOf = (attr: string): Origin | undefined => {
    const places = JSON.parse(bytes.toString('utf8', errorTo + 1, placesTo)) as ItemPlaces;
    const [list = '', index] = attr.split('.');
    const place = Object.hasOwn(places, list) ? places[list]?.[Number(index)] : undefined;
    return place && { file: fileOf(place[0]), line: place[1] };
  };
  return Object.assign(row, { placeOf });
}

/** The text of a row that cannot be built from its record. The record is kept as text so that it can be corrected. */
export function untoldRow({ bytes, from, to }: FoundRecord): string {
  return JSON.stringify({ unreadable: bytes.toString('utf8', from, to) });
}
