import type { RefusedField } from '../journal/events.js';
import type { Move } from '../journal/moves.js';
import type { Kind } from '../kinds/kinds.js';
import type { ReadRow, Row } from '../rows/row.js';

/** A row that is there, and whether it was not before. */
export interface ArrivedRow {
  readonly row: Row;
  readonly isNew: boolean;
  /** Whether it was moved into the open statement period; only where that was allowed. */
  readonly move?: Move | undefined;
}

/** What a later run has to know about an account whose rows are not all settled. */
export interface AccountMark {
  readonly account: string;
  /** See SeenRows; nothing when the account is finished. */
  readonly seen: string | undefined;
}

/** Where it is written down what became of each row. Each method has kept it when it returns. */
export interface Ledger {
  arrived(kind: Kind, rows: readonly ArrivedRow[], mark: AccountMark | undefined): void;
  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void;
  /** What the account's earlier rows left for {@link SeenRows}. */
  seen(kind: Kind, account: string): readonly string[] | undefined;
}

/** Where it is written down what was found out about rows when they were looked for (choice L14). */
export interface CheckLedger {
  /** Whether a row that is not there can be sent again. */
  maySendAgain(kind: Kind, row: Row): boolean;
  /** Rows that arrived are not there: they are to be sent again. */
  missed(kind: Kind, rows: readonly Row[]): void;
  /** A row that arrived is not there as it was sent. */
  refuted(kind: Kind, row: Row, errors: readonly RefusedField[]): void;
  /** More is known of why a row failed. */
  explained(kind: Kind, row: Row, errors: readonly RefusedField[]): void;
}
