import { arrayLiteral } from '../../infrastructure/database/array-literal.js';
import { copyField } from '../../infrastructure/database/copy.js';
import type { AccountRecord } from './line-reading.js';

/** Rows of one batch: enough that the round trips do not matter, few enough that a batch is written quickly. */
const ROWS_MAX = 20_000;
/** Approximate size of one batch in characters: limits the memory when records are large. */
const SIZE_MAX = 8_388_608;

/** The last record of an account, and all lines that it has in the batch. */
interface Entry {
  record: AccountRecord;
  readonly lines: number[];
}

/**
 * Records that are written together. One query cannot write a row twice, so only the last record of a repeated number is
 * kept, and all of its lines.
 */
export class AccountBatch {
  private readonly entries = new Map<string, Entry>();
  private size = 0;
  private count = 0;
  private inOrder: readonly AccountRecord[] | undefined;

  /** How many records were added. */
  get length(): number {
    return this.count;
  }

  /** Whether any of them has control totals. */
  hasControls = false;

  /** How many different accounts they belong to. */
  get accounts(): number {
    return this.entries.size;
  }

  get isFull(): boolean {
    return this.entries.size >= ROWS_MAX || this.size >= SIZE_MAX;
  }

  sharesNumberWith(other: AccountBatch): boolean {
    for (const number of this.entries.keys()) if (other.entries.has(number)) return true;
    return false;
  }

  /** @param line number of the line that the record comes from */
  add(record: AccountRecord, line: number): void {
    const { externalAccountNumber: number, account, control } = record;
    this.inOrder = undefined;
    if (control) this.hasControls = true;
    const entry = this.entries.get(number);
    if (entry) {
      entry.record = record;
      entry.lines.push(line);
    } else {
      this.entries.set(number, { record, lines: [line] });
    }
    this.size += number.length + (account?.length ?? 0);
    this.count += 1;
  }

  /** The lines of an account, in order. */
  linesOf(externalAccountNumber: string): readonly number[] {
    return this.entries.get(externalAccountNumber)?.lines ?? [];
  }

  /** The records, each number once, in the order of the numbers: two writers of common rows then lock them in one order. */
  records(): readonly AccountRecord[] {
    this.inOrder ??= [...this.entries.values()]
      .map(({ record }) => record)
      .sort((one, other) => (one.externalAccountNumber < other.externalAccountNumber ? -1 : 1));
    return this.inOrder;
  }

  /** The records in COPY's text format: number, from, to, account, and the id of their supplier. */
  *copyLines(importSupplierId: number): Generator<string> {
    let chunk = '';
    for (const { externalAccountNumber, openStatementFrom, openStatementTo, account } of this.records()) {
      chunk += `${copyField(externalAccountNumber)}\t${copyField(openStatementFrom)}\t${copyField(openStatementTo)}\t`;
      chunk += `${copyField(account)}\t${importSupplierId}\n`;
      if (chunk.length < CHUNK_LENGTH) continue;
      yield chunk;
      chunk = '';
    }
    if (chunk !== '') yield chunk;
  }
}

/** Characters that are written to the connection at a time. */
const CHUNK_LENGTH = 262_144;

/**
 * Numbers and periods of records as parameters of a query, which reads them with
 * `unnest(:numbers::text[], :froms::date[], :tos::date[])`.
 */
export function periodColumns(records: readonly AccountRecord[]): Record<string, string | null> {
  return {
    numbers: arrayLiteral(records, ({ externalAccountNumber }) => externalAccountNumber),
    froms: arrayLiteral(records, ({ openStatementFrom }) => openStatementFrom),
    tos: arrayLiteral(records, ({ openStatementTo }) => openStatementTo),
  };
}
