import type { Origin, RowError } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';
import type { RecordedMoves } from './moves.js';
import type { Preparation } from '../rows/preparation.js';

/** An error of a row. `value` is the refused value, if the field takes one of a list of values. */
export interface RefusedField extends RowError {
  readonly value?: string;
}

/** A record as written in the file: its text, or base64 if its bytes are not UTF-8. */
export type RawText = string | { readonly base64: string };

/** The outcome of the rows in a run. */
export interface Settled {
  readonly loaded: number;
  readonly already: number;
  /** In a retry, the number of rows that failed again. */
  readonly failed: number;
}

/** A run began. */
export interface RunStarted {
  readonly event: 'run';
  readonly run: string;
  readonly command: 'load' | 'retry' | 'dry-run';
  /** Milliseconds since 1970, as in the other events. */
  readonly at: number;
  readonly supplier: string;
  readonly baseUrl: string;
  /** The options of the run, as they can be typed again. */
  readonly options: string;
  /** The number of rows that the run settled, if its events were merged. */
  readonly settled?: Settled;
}

/**
 * The files of a kind were read completely. `mapping` is the hash of the mapping that was used; `headers` has the header
 * of each table, in UTF-8.
 */
export interface Prepared {
  readonly event: 'prepared';
  readonly preparation: Preparation;
  readonly mapping: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The earlier events of these kinds no longer count (`--again`). */
export interface SetAside {
  readonly event: 'set-aside';
  readonly kinds: readonly Kind[];
}

/** The service has stored a range of the stream. */
export interface Acknowledged {
  readonly event: 'ack';
  readonly kind: Kind;
  readonly at: number;
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly loaded: number;
  readonly already: number;
  /**
   * The account, if more of its rows follow. `seen` then contains the digests by which repeated rows are recognised, see
   * SeenRows.
   */
  readonly account?: string;
  readonly seen?: string;
  readonly moved?: RecordedMoves;
}

/** A row that the service or the loader refused. */
export interface Failed {
  readonly event: 'failed';
  readonly kind: Kind;
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
  readonly account?: string;
  readonly key?: string;
  readonly raw: RawText;
  readonly errors: readonly RefusedField[];
  /** Whether the loader refused it, without a request to the service. */
  readonly isUnread?: true;
  /**
   * Whether it had already been recorded as failed. The event is then about a second attempt, and `raw` is the corrected
   * text.
   */
  readonly isAgain?: true;
  /** Whether `raw` differs from the text in the file that is loaded. */
  readonly isCorrected?: true;
  /** Set for a row that had been acknowledged and was then found not to be at the service: the count to which it belonged. */
  readonly was?: 'loaded' | 'already';
}

/** A row that had failed has arrived. `raw` is its text if it was corrected. */
export interface Arrived {
  readonly event: 'arrived';
  readonly kind: Kind;
  readonly at: number;
  readonly start: number;
  readonly end: number;
  readonly origin: Origin;
  readonly isNew: boolean;
  readonly raw?: RawText;
  readonly moved?: RecordedMoves;
}

/** The service lacks rows that it had acknowledged. They are sent again (choice L14). */
export interface Missed {
  readonly event: 'missed';
  readonly kind: Kind;
  /** One range for each row. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** `loaded` and `already` are the counts to which the rows belonged. */
  readonly loaded: number;
  readonly already: number;
  /** Whether the rows had failed before they arrived. They count as failed again until they arrive once more. */
  readonly isAgain?: true;
}

/** Every row of these kinds that counts as stored was found at the service. For a retry, this is every row of the retry. */
export interface Checked {
  readonly event: 'checked';
  readonly kinds: readonly Kind[];
  readonly at: number;
}

/** The number of rows that were settled in each span of time, for runs whose events were merged. */
export interface Rates {
  readonly event: 'rates';
  readonly spans: readonly (readonly [span: number, rows: number])[];
}

export type JournalEvent =
  RunStarted | Prepared | SetAside | Acknowledged | Failed | Arrived | Missed | Checked | Rates;
