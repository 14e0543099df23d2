import { arrayLiteral } from '../../infrastructure/database/array-literal.js';
import { copyField } from '../../infrastructure/database/copy.js';
import type { AccountRecord } from './line-reading.js';

/** Rows in one batch: enough to make round trips negligible, few enough to write a batch quickly. */
const ROWS_MAX = 20_000;
/** Approximate size of one batch in characters. It limits memory when records are large. */
const SIZE_MAX = 8_388_608;

/** The last record of an account, and all lines of the batch that name the account. */
interface Entry {
  record: AccountRecord;
  readonly lines: number[];
}

/**
 * Records that are written together. One query cannot write a row twice, so a batch keeps only the last record of a repeated
 * number, together with the lines of all its records.
 */
export class AccountBatch {
  private readonly entries = new Map<string, Entry>();
  private size = 0;
  private count = 0;
  private sorted: readonly AccountRecord[] | undefined;

  /** The number of records added. */
  get length(): number {
    return this.count;
  }

  /** Whether any record has control totals. */
  hasControls = false;

  /** The number of different accounts. */
  get accounts(): number {
    return this.entries.size;
  }

  get isFull(): boolean {
    return this.entries.size >= ROWS_MAX || this.size >= SIZE_MAX;
  }

  /** @param line number of the record's line */
  add(record: AccountRecord, line: number): void {
    const { externalAccountNumber: number, account, control } = record;
    this.sorted = undefined;
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

  /** The numbers of an account's lines, in ascending order. */
  linesOf(externalAccountNumber: string): readonly number[] {
    return this.entries.get(externalAccountNumber)?.lines ?? [];
  }

  /**
   * The records, one for each account, in the order of account numbers: two writers of common rows then lock them in the same
   * order.
   */
  records(): readonly AccountRecord[] {
    this.sorted ??= [...this.entries.values()]
      .map(({ record }) => record)
      .sort((one, other) => (one.externalAccountNumber < other.externalAccountNumber ? -1 : 1));
    return this.sorted;
  }

  /** The records in COPY's text format: number, from, to, account, and the id of the supplier. */
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

/** Characters written to the connection at a time. */
const CHUNK_LENGTH = 262_144;

/** Account numbers as a query parameter. */
export function numbersOf(records: readonly AccountRecord[]): string | null {
  return arrayLiteral(records, ({ externalAccountNumber }) => externalAccountNumber);
}

/**
 * Account numbers and periods as query parameters. The query reads them with `unnest(:numbers::text[], :froms::date[],
 * :tos::date[])`.
 */
export function periodColumns(records: readonly AccountRecord[]): Record<string, string | null> {
  return {
    numbers: numbersOf(records),
    froms: arrayLiteral(records, ({ openStatementFrom }) => openStatementFrom),
    tos: arrayLiteral(records, ({ openStatementTo }) => openStatementTo),
  };
}
