import type { AuditRun } from '../../infrastructure/audit/audit-run.js';
import { Spool } from '../../infrastructure/files/spool.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import type { AccountBatch } from './account-batch.js';
import { gather } from './gather.js';
import {
  shownLine,
  type AccountRecord,
  type BadLine,
  type LineProblem,
  type NumberedReading,
} from './line-reading.js';

/** Outcome of a file that sets a property of its accounts. Each line that is not blank counts once. */
export interface SettingOutcome {
  readonly counts: {
    changed: number;
    /** The account already has the value in the line, or a later line of the file has another value for it. */
    unchanged: number;
  };
  /** Every bad line; the caller disposes of them. A line whose account cannot be set is added when its batch is written. */
  readonly badLines: Spool<BadLine>;
  /** Whether the run stopped before the end of the file. */
  isInterrupted: boolean;
}

export const ACCOUNT_NOT_FOUND: LineProblem = {
  code: 'account_not_found',
  detail: 'external_account_number: The import supplier has no such account.',
};

/** Outcome of a batch. */
export interface SetBatch {
  /** The number of accounts that changed. */
  readonly changed: number;
  /** Why accounts could not be set, by account number. */
  readonly refused: ReadonlyMap<string, LineProblem>;
}

/**
 * Set a property of the accounts in a file, batch by batch. The audit log records the run when it changes its first account, and
 * when it ends.
 *
 * @param readings of the file; the caller closes the file
 * @param set writes a batch
 */
export async function setAccounts(
  readings: AsyncGenerator<NumberedReading[]>,
  interrupted: AbortSignal,
  record: AuditRun,
  set: (tx: Tx, records: readonly AccountRecord[]) => Promise<SetBatch>,
): Promise<SettingOutcome> {
  const outcome: SettingOutcome = {
    counts: { changed: 0, unchanged: 0 },
    badLines: new Spool(),
    isInterrupted: false,
  };
  const write = async (batch: AccountBatch): Promise<void> => {
    const { changed, refused } = await record.write(
      (tx) => set(tx, batch.records()),
      (done) => done.changed > 0,
    );
    let bad = 0;
    for (const [number, problem] of refused) {
      for (const line of batch.linesOf(number)) {
        outcome.badLines.add({ line: shownLine(line), ...problem });
        bad += 1;
      }
    }
    outcome.counts.changed += changed;
    outcome.counts.unchanged += batch.length - bad - changed;
  };
  try {
    outcome.isInterrupted = await gather(readings, write, outcome.badLines, interrupted);
    await record.end(outcome.isInterrupted ? 'interrupted' : 'complete', countsOf(outcome));
    return outcome;
  } catch (error) {
    await record.fail(countsOf(outcome));
    outcome.badLines.dispose();
    throw error;
  }
}

function countsOf({ counts, badLines }: SettingOutcome): object {
  return { ...counts, bad: badLines.length };
}
