import type { Rules } from './rules.js';
import type { RowError, RowFacts } from '../fields/fields.js';
import type { ItemFields } from '../fields/item-fields.js';
import type { RecordFinder } from '../records/records.js';
import type { Origin, ReadRow, Row, UnreadableRow } from './row.js';

/** Reads the records of one file. */
export interface RowReader {
  /** Finds the records that the other methods read. */
  readonly finder: RecordFinder;
  /**
   * @param record the record that the finder found last; it is UTF-8 and has no problem
   * @returns the account of the record; undefined if it has no readable account
   */
  account(record: FoundRecord): string | undefined;
  /** Whether the mapping excludes the record. @param record as for the other methods */
  isLeftOut?(record: FoundRecord): boolean;
  /** The use of the mapping's rules by the records that were counted so far. */
  readonly rules?: Rules;
  /** Note which rules of the mapping a record uses. @param record as for the other methods */
  count?(record: FoundRecord): void;
  /** Whether a record is read for another kind, whose rows are in the same file. @param problem why it cannot be read */
  isOfOther?(record: FoundRecord, problem: RowError | undefined): boolean;
  /** @param record the record that the finder found last; it is UTF-8 and has no problem */
  row(record: FoundRecord): ReadRow;
  /** Read a record of a file that is joined with others. @param record as for the other methods */
  part(record: FoundRecord): ReadPart;
}

/** The fields of a record, which are valid until the next one is read. */
export interface ReadPart {
  /** The fields. A value that cannot be read is kept as its text. Undefined if the fields of the record cannot be told apart. */
  readonly fields: ItemFields | undefined;
  readonly error: RowError | undefined;
  /** The texts of the key's columns, without surrounding spaces. */
  readonly key: readonly string[];
}

/** A record within the bytes of a block: `[from, to)`, without its line end. */
export interface FoundRecord {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  readonly file: string;
  readonly line: number;
  /** Positions in the stream. */
  readonly start: number;
  readonly end: number;
}

/**
 * The position of a record. Views of its bytes are created only on request, because creating them takes longer than
 * reading the record.
 */
class Placed {
  readonly start: number;
  readonly end: number;
  protected readonly bytes: Buffer;
  private readonly from: number;
  protected readonly to: number;
  private readonly file: string;
  private readonly line: number;

  constructor({ bytes, from, to, file, line, start, end }: FoundRecord) {
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.file = file;
    this.line = line;
    this.start = start;
    this.end = end;
  }

  get raw(): Buffer {
    return this.bytes.subarray(this.from, this.to);
  }

  get origin(): Origin {
    return { file: this.file, line: this.line };
  }
}

/** A row whose item is its line without the account. The item stays in the block until it is requested. */
export class CutRow extends Placed implements Row {
  readonly error = undefined;

  /** The item is `[itemFrom, cutFrom)` and everything from `cutTo` on. */
  constructor(
    record: FoundRecord,
    readonly account: string,
    readonly key: string | undefined,
    private readonly itemFrom: number,
    private readonly cutFrom: number,
    private readonly cutTo: number,
  ) {
    super(record);
  }

  get item(): string {
    const { bytes } = this;
    return bytes.toString('utf8', this.itemFrom, this.cutFrom) + bytes.toString('utf8', this.cutTo, this.to);
  }

  get itemBytes(): Buffer {
    const { bytes } = this;
    return Buffer.concat([bytes.subarray(this.itemFrom, this.cutFrom), bytes.subarray(this.cutTo, this.to)]);
  }
}

/** A row whose item was built from fields. */
export class BuiltRow extends Placed implements Row {
  readonly error = undefined;

  constructor(
    record: FoundRecord,
    readonly account: string,
    readonly key: string | undefined,
    readonly item: string,
  ) {
    super(record);
  }
}

/** The item of a row in UTF-8. An item that is still in a block is not converted to a string first. */
export function itemBytesOf(row: Row): Buffer {
  return row instanceof CutRow ? row.itemBytes : Buffer.from(row.item);
}

class Unreadable extends Placed implements UnreadableRow {
  constructor(
    record: FoundRecord,
    readonly error: RowError,
    readonly account: string | undefined,
  ) {
    super(record);
  }
}

export function unreadableRow(record: FoundRecord, error: RowError, account?: string): UnreadableRow {
  return new Unreadable(record, error, account);
}

/**
 * A row that is built from its fields.
 *
 * @param facts the facts about the rows of its kind
 * @param error the reason why one of the fields cannot be read
 */
export function rowOfFields(
  facts: RowFacts,
  fields: ItemFields,
  error: RowError | undefined,
  record: FoundRecord,
): ReadRow {
  const json = fields.get(facts.account);
  const missing = error?.attr === facts.account ? error : missingAccount(facts);
  const account = json === undefined ? missing : accountOf(facts, valueOf(json));
  if (typeof account !== 'string') return unreadableRow(record, account);
  if (error) return unreadableRow(record, error, account);
  const { refused } = facts;
  if (refused && fields.has(refused.field)) return unreadableRow(record, refused.error, account);
  const values = facts.key.map((name) => {
    const value = fields.get(name);
    return value === undefined ? undefined : valueOf(value);
  });
  return new BuiltRow(record, account, facts.keyOf(values), fields.without(facts.account));
}

/** Keep the text of a value that cannot be read, for rows that are corrected as a whole. */
export function keepText(
  fields: ItemFields,
  field: string,
  texts: readonly string[],
  { account }: RowFacts,
): void {
  if (field !== account) fields.set(field, JSON.stringify(texts.join(' ').trim()));
}

/** Most values are texts without escapes. */
function valueOf(json: string): unknown {
  return json.startsWith('"') && !json.includes('\\') ? json.slice(1, -1) : (JSON.parse(json) as unknown);
}

export function missingAccount({ account }: RowFacts): RowError {
  return { code: 'required', attr: account, detail: 'This field is required.' };
}

/**
 * Check the account of a row as the service does. Without this check the service would reject the whole request and not
 * name the row.
 *
 * @returns the account, or the error
 */
export function accountOf({ account, accountLengthMax }: RowFacts, value: unknown): string | RowError {
  const problem = (code: string, detail: string): RowError => ({ code, attr: account, detail });
  if (value === null) return problem('null', 'This field may not be null.');
  if (typeof value !== 'string') return problem('invalid', 'Expected a string.');
  if (value === '') return problem('blank', 'This field may not be empty.');
  if (value.includes('\0') || !value.isWellFormed()) {
    return problem('invalid', 'The text contains a NUL character or a lone surrogate.');
  }
  return value.length > accountLengthMax && Array.from(value).length > accountLengthMax
    ? problem('max_length', `At most ${accountLengthMax} characters are allowed.`)
    : value;
}
