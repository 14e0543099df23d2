import type { Origin, RowError } from '@data-import/files';
import type { Kind } from '../kinds/kinds.js';
import type { RecordedMoves } from './moves.js';
import type { Preparation } from '../rows/preparation.js';

/** An error of a row; `value` is what was refused, where the field takes one of a list. */
export interface RefusedField extends RowError {
  readonly value?: string;
}

/** A record as it stands in the file: text, or base64 of bytes that are not UTF-8. */
export type RawText = string | { readonly base64: string };

/** What became of rows in a run. */
export interface Settled {
  readonly loaded: number;
  readonly already: number;
  /** Of a retry, rows that failed again. */
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
  /** Its options as they can be typed again. */
  readonly options: string;
  /** What it settled, of runs whose events were merged. */
  readonly settled?: Settled;
}

/**
 * The files of a kind were read once. `mapping` is the hash of the mapping under which they were, `headers` has the header of
 * each table, in UTF-8.
 */
export interface Prepared {
  readonly event: 'prepared';
  readonly preparation: Preparation;
  readonly mapping: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is recorded of these kinds is over (`--again`). */
export interface SetAside {
  readonly event: 'set-aside';
  readonly kinds: readonly Kind[];
}

/** What the service has of a range of the stream. */
export interface Acknowledged {
  readonly event: 'ack';
  readonly kind: Kind;
  readonly at: number;
  readonly ranges: readonly (readonly [start: number, end: number])[];
  readonly loaded: number;
  readonly already: number;
  /** The account, while more of its rows follow: `seen` is then what repeats are recognised by, see SeenRows. */
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
  /** Whether it was refused without the service. */
  readonly isUnread?: true;
  /** Whether it was recorded as failed before: then this is about a second attempt, and `raw` is the corrected text. */
  readonly isAgain?: true;
  /** Whether `raw` is not the text of the file that is loaded. */
  readonly isCorrected?: true;
  /** What it counted as before it was found not to be there: it was acknowledged then. */
  readonly was?: 'loaded' | 'already';
}

/** A row that had failed is there. `raw` is its text where it was corrected. */
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

/** Rows that were acknowledged are not at the service: they are sent again (choice L14). */
export interface Missed {
  readonly event: 'missed';
  readonly kind: Kind;
  /** One for each row. */
  readonly ranges: readonly (readonly [start: number, end: number])[];
  /** How many of them counted as what. */
  readonly loaded: number;
  readonly already: number;
  /** Whether they had failed before they arrived: they have failed again, until they arrive once more. */
  readonly isAgain?: true;
}

/** Every row of these kinds that counts as there was seen at the service; of a retry, every row of it. */
export interface Checked {
  readonly event: 'checked';
  readonly kinds: readonly Kind[];
  readonly at: number;
}

/** How many rows were settled in each span of time, of runs whose events were merged. */
export interface Rates {
  readonly event: 'rates';
  readonly spans: readonly (readonly [span: number, rows: number])[];
}

export type JournalEvent =
  RunStarted | Prepared | SetAside | Acknowledged | Failed | Arrived | Missed | Checked | Rates;
