import type { Settled } from '../journal/events.js';
import type { Moves } from '../journal/moves.js';
import type { Kind } from '../kinds/kinds.js';
import type { Difference, Tally } from '../verify/result.js';
import type { DifferenceGroup, FailureGroup } from './groups.js';
import type { LeftOut } from '../rows/left-out.js';

/** The number of rows by outcome; `read` is the sum of the others. */
export interface Counts {
  readonly read: number;
  readonly loaded: number;
  readonly already: number;
  readonly failed: number;
  readonly unsent: number;
}

/** A run of a folder, and the number of rows that it settled. */
export interface RunResult extends Settled {
  readonly run: string;
  readonly command: string;
  /** The start time in UTC and whole seconds. */
  readonly at: string;
  readonly supplier: string;
  readonly base_url: string;
}

/** The output of `--json`. */
export interface Result extends Counts {
  readonly kinds: Partial<Record<Kind, Counts>>;
  readonly groups: readonly FailureGroup[];
  readonly seconds: number;
  readonly dry_run: boolean;
  readonly run: string | null;
  /** Whether every row that counts as loaded or already there was found at the service at the end (choice L14). */
  readonly checked: boolean;
  /** Transactions that were moved into the open statement period. */
  readonly moved: Moves;
  /** Rows that were sent again because they had failed for an account which was not imported then and is imported now. */
  readonly taken_up?: { readonly rows: number; readonly accounts: number } | undefined;
  /** The rules by which the mapping leaves something out, and rules that are not used. */
  readonly left_out: readonly LeftOut[];
  /** The changes of the files during the run, as sentences without a full stop. If there are any, rows may be left. */
  readonly changed: readonly string[];
}

/** The output of `verify` with `--json` (choice V9). */
export interface VerifyResult {
  readonly accounts: Tally;
  readonly rows: Tally;
  /** The digest of the files. It is null if only some kinds were compared, because it could then equal no other digest. */
  readonly digest: string | null;
  readonly service_digest: string | null;
  readonly differences: readonly Difference[];
  /** All differences by cause. The fields of differences that are not named were not compared. */
  readonly groups: readonly DifferenceGroup[];
  /** The number of differences that are not named; absent if all are named. */
  readonly differences_omitted?: number;
  readonly kinds: readonly Kind[];
  readonly supplier: string;
  /** The status of the supplier when the comparison began: `ongoing`, `paused` or `complete`. */
  readonly supplier_status: string;
  /** The number of accounts that changed between two reads. Their results are those of the second read. */
  readonly changed_accounts: number;
  /** The rules by which the mapping leaves something out, and rules that are not used. */
  readonly left_out: readonly LeftOut[];
  readonly seconds: number;
}
