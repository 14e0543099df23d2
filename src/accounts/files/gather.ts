import { once } from 'node:events';
import type { Spool } from '../../infrastructure/files/spool.js';
import { AccountBatch } from './account-batch.js';
import type { BadLine, NumberedReading } from './line-reading.js';

/** Who runs a command about a file, and what ends it. */
export interface FileRun {
  /** The name that is recorded. */
  readonly operator: string;
  /** Stops after the batch that is being written, also while no input arrives. */
  readonly interrupted: AbortSignal;
}

/**
 * Collect good records in batches, and bad lines in the spool.
 *
 * @param begin begins to write a batch; the next lines are read when it resolves
 * @param interrupted ends the reading, also while no input arrives; what was read is written
 * @returns whether it was interrupted
 */
export async function gather(
  readings: AsyncGenerator<NumberedReading[]>,
  begin: (batch: AccountBatch) => Promise<void>,
  badLines: Spool<BadLine>,
  interrupted: AbortSignal,
): Promise<boolean> {
  const aborted = once(interrupted, 'abort').then(() => undefined);
  let batch = new AccountBatch();
  for (;;) {
    const next = interrupted.aborted ? undefined : await Promise.race([readings.next(), aborted]);
    if (next === undefined || next.done === true) {
      if (batch.length > 0) await begin(batch);
      return next === undefined;
    }
    for (const reading of next.value) {
      if ('problem' in reading) {
        badLines.add({ line: reading.line, ...reading.problem });
        continue;
      }
      batch.add(reading.record, reading.line);
      if (!batch.isFull) continue;
      await begin(batch);
      batch = new AccountBatch();
    }
  }
}
