import { placeText, RECORD_BYTES_MAX, type Join, type RowError } from '@data-import/files';
import type { ExternalSort } from './external-sort.js';
import { LIST_ITEMS_MAX } from '../kinds/contract.generated.js';
import { tooManyItems } from './item-bounds.js';
import { joinedRecord, type ItemPlaces } from './joined-record.js';

const LINE_FEED = 0x0a;

/** A file of a kind that has joined files. */
export interface JoinedFile {
  readonly name: string;
  /** The index of the file in the preparation. */
  readonly index: number;
  /** Undefined if its rows are complete without other files. */
  readonly join: Join | undefined;
}

/** A record before it is joined. */
export interface Part {
  readonly error: RowError | undefined;
  /** The account of a row; empty if it has none. */
  readonly account: string;
  /** The fields as JSON. */
  readonly json: string;
}

/** A unique key for a record that has no key or cannot be read. */
export function aloneKey(number: number, line: number): string {
  return `!${number}:${line}`;
}

function isAlone(key: string): boolean {
  return key.startsWith('!');
}

/** The bytes of a record: the error and the account, each as a line of JSON or an empty line, and then the fields. */
export function partRecord({ error, account, json }: Part): Buffer {
  const lines = [error ? JSON.stringify(error) : '', account === '' ? '' : JSON.stringify(account), json];
  return Buffer.from(lines.join('\n'));
}

function readPart(content: Buffer): Part {
  const errorTo = content.indexOf(LINE_FEED);
  const accountTo = content.indexOf(LINE_FEED, errorTo + 1);
  const [error, account] = [
    content.toString('utf8', 0, errorTo),
    content.toString('utf8', errorTo + 1, accountTo),
  ];
  return {
    error: error === '' ? undefined : (JSON.parse(error) as RowError),
    account: account === '' ? '' : (JSON.parse(account) as string),
    json: content.toString('utf8', accountTo + 1),
  };
}

interface PlacedPart extends Part {
  readonly file: JoinedFile;
  readonly line: number;
}

/** A row whose items are still being added. */
class OpenRow {
  error: RowError | undefined;
  private readonly lists = new Map<string, string[]>();
  private readonly places: Record<string, [file: number, line: number][]> = {};
  private bytes: number;

  constructor(readonly row: PlacedPart) {
    this.error = row.error;
    this.bytes = row.json.length;
  }

  /** Add an item. Its error says where the item is. */
  add(list: string, { error, json, file, line }: PlacedPart): void {
    const items = this.lists.get(list) ?? [];
    if (items.length === 0) this.lists.set(list, items);
    this.bytes += json.length;
    const allowed = LIST_ITEMS_MAX[list] ?? Infinity;
    if (this.bytes > RECORD_BYTES_MAX) {
      this.error ??= tooLong(list);
      this.lists.clear();
      return;
    }
    if (items.length >= allowed) this.error ??= tooManyItems(list, allowed);
    if (error) {
      const attr = [list, items.length, ...(error.attr === '' ? [] : [error.attr])].join('.');
      this.error ??= { ...error, attr, detail: `${placeText({ file: file.name, line })}: ${error.detail}` };
    }
    items.push(json);
    (this.places[list] ??= []).push([file.index, line]);
  }

  /** The row with its lists, in the form of the service. */
  get json(): string {
    const members = Array.from(this.lists, ([list, items]) => `${JSON.stringify(list)}:[${items.join(',')}]`);
    if (members.length === 0) return this.row.json;
    const begin = this.row.json === '{}' ? '{' : `${this.row.json.slice(0, -1)},`;
    return `${begin}${members.join(',')}}`;
  }

  get itemPlaces(): ItemPlaces | undefined {
    return this.lists.size === 0 ? undefined : this.places;
  }
}

/** Joins rows from parts. Parts arrive in the order of their keys, and for each key rows come before items. */
export class Joiner {
  /** The number of rows so far. */
  rows = 0;
  private key = '';
  private open: OpenRow | undefined;

  /** @param files the files in the order of the numbers that are passed to {@link add} */
  constructor(
    private readonly files: readonly JoinedFile[],
    private readonly sort: ExternalSort,
  ) {}

  add(key: string, number: number, line: number, content: Buffer): void {
    const file = this.files[number];
    if (!file?.join) throw new RangeError(`There is no file ${number}.`);
    const part = { ...readPart(content), file, line };
    if (key !== this.key) {
      this.end();
      this.key = key;
    }
    const { list } = file.join;
    if (list === undefined) this.addRow(part, file.join);
    else if (this.open) this.open.add(list, part);
    else this.addOrphan(part, list, file.join);
  }

  /** Called when no further part of the last key follows. */
  end(): void {
    const { open } = this;
    this.open = undefined;
    if (open) this.write(open.row, open.error, open.json, open.itemPlaces);
  }

  private addRow(part: PlacedPart, { key }: Join): void {
    const { open } = this;
    if (!open) {
      this.open = new OpenRow(part);
      return;
    }
    // The items of all rows with this key are kept with the first row, so that no item is duplicated.
    if (open.error?.code !== 'repeated_key') open.error = this.repeated(key, part);
    this.write(part, this.repeated(key, open.row), part.json, undefined);
  }

  private repeated(key: readonly string[], { file, line }: PlacedPart): RowError {
    const place = placeText({ file: file.name, line });
    const detail = `The key (${key.join(', ')}) is also that of ${place}. Items of other files belong to the first of them.`;
    return { code: 'repeated_key', attr: '', detail, seen: this.seen };
  }

  private addOrphan(part: PlacedPart, list: string, { key }: Join): void {
    const detail = `No row has the key of this item (${key.join(', ')}).`;
    const error = isAlone(this.key)
      ? part.error
      : { code: 'no_parent_row', attr: list, detail, seen: this.seen };
    this.write(part, error, `{${JSON.stringify(list)}:[${part.json}]}`, undefined);
  }

  /** The texts of the key, without the name of the mapping's entry. */
  private get seen(): string {
    const [, ...texts] = JSON.parse(this.key) as string[];
    return texts.map((text) => JSON.stringify(text)).join(' and ');
  }

  private write(
    { account, file, line }: PlacedPart,
    error: RowError | undefined,
    json: string,
    places: ItemPlaces | undefined,
  ): void {
    this.rows += 1;
    const bytes = joinedRecord(error, places, json);
    this.sort.add(account, file.index, { bytes, from: 0, to: bytes.length, line }, false);
  }
}

function tooLong(list: string): RowError {
  const detail = `The row is longer than ${RECORD_BYTES_MAX} bytes with all items of ${list}; only what is before its lists is kept.`;
  return { code: 'max_length', attr: list, detail };
}
