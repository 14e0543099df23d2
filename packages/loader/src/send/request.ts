import { CutRow, type Row } from '@data-import/files';
import { keyOfEarlier, keysForLater } from '../kinds/keys.js';
import { ACCOUNT, operationOf, SUPPLIER } from '../kinds/fields.js';
import type { Kind } from '../kinds/kinds.js';

/** The size of a payload without its items, with room to spare. */
const ENVELOPE_BYTES = 1_024;

/** Contiguous rows of one account that are sent together. */
export interface Request {
  readonly kind: Kind;
  readonly account: string;
  readonly rows: readonly Row[];
  /** The approximate size of its payload. */
  readonly bytes: number;
  /** Whether another request of this account follows. */
  readonly hasMore: boolean;
}

/** The payload, with the text of each item as in the file (specification 4.1 to 4.4). */
export function payload({ kind, account, rows }: Request, supplier: string): string {
  const pair = `{"${SUPPLIER}":${JSON.stringify(supplier)},"${ACCOUNT}":${JSON.stringify(account)}`;
  const { list } = operationOf(kind);
  const items = rows.map(({ item }) => item);
  if (list !== undefined) return `${pair},"${list}":[${items.join(',')}]}`;
  const members = (items[0] ?? '{}').trim().slice(1, -1);
  return members.trim() === '' ? `${pair}}` : `${pair},${members}}`;
}

/** The maximum size of a request. Answers of the service can lower it while requests are being built. */
export interface RequestSize {
  items: number;
  bytes: number;
}

/** Approximate size of a row in a payload. An NDJSON item is part of its line; an item from a table also names its fields. */
function bytesOf(row: Row): number {
  const inFile = row.end - row.start;
  return 1 + (row instanceof CutRow ? inFile : Math.max(inFile, Buffer.byteLength(row.item)));
}

/** Split a request that was built when a larger size seemed allowed into requests of the size allowed now. */
export function inSize(kind: Kind, rows: readonly Row[], size: RequestSize): (readonly Row[])[] {
  const batcher = new Batcher(kind, size);
  const requests = [...rows.map((row) => batcher.add(row)), batcher.end()];
  return requests.flatMap((request) => (request ? [request.rows] : []));
}

/**
 * Builds requests from rows that arrive grouped by account. A row that repeats one of the request begins the next request: the
 * service rejects a request with a repeated id (choices X4, H3), and a repeated row is compared with the rows that arrived.
 */
export class Batcher {
  private rows: Row[] = [];
  private keys = new Set<string>();
  private bytes = ENVELOPE_BYTES;

  constructor(
    private readonly kind: Kind,
    private readonly size: RequestSize,
  ) {}

  /** @returns the request that this row completes, if any */
  add(row: Row): Request | undefined {
    const [first] = this.rows;
    const bytes = bytesOf(row);
    let ended: Request | undefined;
    if (first !== undefined && (first.account !== row.account || !this.hasRoom(row, bytes))) {
      ended = this.request(first.account === row.account);
    }
    this.rows.push(row);
    this.bytes += bytes;
    if (row.key !== undefined) for (const key of keysForLater(this.kind, row.key)) this.keys.add(key);
    return ended;
  }

  /** @returns the last request */
  end(): Request | undefined {
    return this.rows.length === 0 ? undefined : this.request(false);
  }

  private hasRoom(row: Row, bytes: number): boolean {
    const items = operationOf(this.kind).list === undefined ? 1 : this.size.items;
    if (this.rows.length >= items || this.bytes + bytes > this.size.bytes) return false;
    return row.key === undefined || !this.keys.has(keyOfEarlier(this.kind, row.key));
  }

  private request(hasMore: boolean): Request {
    const { rows, bytes } = this;
    this.rows = [];
    this.keys = new Set();
    this.bytes = ENVELOPE_BYTES;
    return { kind: this.kind, account: rows[0]?.account ?? '', rows, bytes, hasMore };
  }
}
