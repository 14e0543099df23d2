import { once } from 'node:events';
import type { Spool } from '../../infrastructure/files/spool.js';
import { AccountBatch } from './account-batch.js';
import type { BadLine, NumberedReading } from './line-reading.js';

/** Who runs a command that reads a file, and the signal that interrupts it. */
export interface FileRun {
  /** The operator's name in the audit log. */
  readonly operator: string;
  /** Stops after the batch that is being written, even while no input arrives. */
  readonly interrupted: AbortSignal;
}

/**
 * Collect good records in batches, and bad lines in the spool.
 *
 * @param begin starts writing a batch; reading continues when it resolves
 * @param interrupted stops the reading, even while no input arrives; records read so far are written
 * @returns whether the reading was interrupted
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
