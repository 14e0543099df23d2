import type { AuditRun } from '../../infrastructure/audit/audit-run.js';
import { Spool } from '../../infrastructure/files/spool.js';
import type { Tx } from '../../infrastructure/database/unit-of-work.js';
import type { AccountBatch } from './account-batch.js';
import { gather } from './gather.js';
import type { AccountRecord, BadLine, LineProblem, NumberedReading } from './line-reading.js';

/** Outcome of a file that sets something of its accounts; each line that is not blank counts once. */
export interface SettingOutcome {
  readonly counts: {
    changed: number;
    /** The account has what the line says already, or a later line of the file says something else. */
    unchanged: number;
  };
  /** Every bad line, to be disposed of by the caller; those whose account cannot be set come with their batch. */
  readonly badLines: Spool<BadLine>;
  /** Whether it was stopped before the end of the file. */
  isInterrupted: boolean;
}

export const ACCOUNT_NOT_FOUND: LineProblem = {
  code: 'account_not_found',
  detail: 'external_account_number: The import supplier has no such account.',
};

/** What became of a batch. */
export interface SetBatch {
  /** How many accounts were different. */
  readonly changed: number;
  /** Why the other accounts cannot be set, by account number. */
  readonly refused: ReadonlyMap<string, LineProblem>;
}

/**
 * Set something of the accounts of a file, batch by batch. The run is recorded when it changes its first account, and when it ends.
 *
 * @param readings of the file; the caller closes their source
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
        outcome.badLines.add({ line, ...problem });
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
