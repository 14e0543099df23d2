import type { ReadRow, Row } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import type { Move } from '../journal/moves.js';
import type { Kind } from '../kinds/kinds.js';

/** A row that the service has, and whether it is new. */
export interface ArrivedRow {
  readonly row: Row;
  readonly isNew: boolean;
  /** Whether it was moved into the open statement period. Set only where moving was allowed. */
  readonly move?: Move | undefined;
}

/** The data that a later run needs about an account whose rows are not all settled. */
export interface AccountMark {
  readonly account: string;
  /** See SeenRows; undefined when the account is finished. */
  readonly seen: string | undefined;
}

/** Records the outcome of each row. A method returns once the outcome is stored. */
export interface Ledger {
  arrived(kind: Kind, rows: readonly ArrivedRow[], mark: AccountMark | undefined): void;
  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void;
  /** The state that the account's earlier rows left for {@link SeenRows}. */
  seen(kind: Kind, account: string): readonly string[] | undefined;
}

/** Records what the check at the end finds out about rows (choice L14). */
export interface CheckLedger {
  /** Whether a row that the service lacks can be sent again. */
  maySendAgain(kind: Kind, row: Row): boolean;
  /** The service lacks rows that had arrived: they are sent again. */
  missed(kind: Kind, rows: readonly Row[]): void;
  /** The service does not have a row as it was sent, although it had arrived. */
  refuted(kind: Kind, row: Row, errors: readonly RefusedField[]): void;
  /** More is known about why a row failed. */
  explained(kind: Kind, row: Row, errors: readonly RefusedField[]): void;
}
