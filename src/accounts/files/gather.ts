import type { Spool } from '../../infrastructure/files/spool.js';
import { AccountBatch } from './account-batch.js';
import { shownLine, type BadLine, type NumberedReading } from './line-reading.js';

/** Who runs a command that reads a file, and the signal that interrupts it. */
export interface FileRun {
  /** The operator's name in the audit log. */
  readonly operator: string;
  /** Stops after the batch that is being written, even while no input arrives. */
  readonly interrupted: AbortSignal;
}

/**
 * Read a file to its end.
 *
 * @param interrupted stops the reading, even while no input arrives
 * @param use gets each block of readings
 * @returns whether the reading was interrupted
 */
export async function readBlocks(
  readings: AsyncGenerator<NumberedReading[]>,
  interrupted: AbortSignal,
  use: (block: NumberedReading[]) => Promise<void> | void,
): Promise<boolean> {
  for (;;) {
    const next = interrupted.aborted ? undefined : await nextBlock(readings, interrupted);
    if (next === undefined || next.done === true) return next === undefined;
    await use(next.value);
  }
}

/**
 * Wait for the next block or the interruption. `Promise.race` with one promise of the interruption would keep every block in
 * memory until the end.
 */
function nextBlock(
  readings: AsyncGenerator<NumberedReading[]>,
  interrupted: AbortSignal,
): Promise<IteratorResult<NumberedReading[]> | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      resolve(undefined);
    };
    interrupted.addEventListener('abort', stop);
    void readings
      .next()
      .then(resolve, reject)
      .finally(() => {
        interrupted.removeEventListener('abort', stop);
      });
  });
}

/**
 * Collect good records in batches, and bad lines in the spool.
 *
 * @param begin starts writing a batch; reading continues when it resolves
 * @param interrupted stops the reading; records read so far are written
 * @returns whether the reading was interrupted
 */
export async function gather(
  readings: AsyncGenerator<NumberedReading[]>,
  begin: (batch: AccountBatch) => Promise<void>,
  badLines: Spool<BadLine>,
  interrupted: AbortSignal,
): Promise<boolean> {
  let batch = new AccountBatch();
  const isInterrupted = await readBlocks(readings, interrupted, async (block) => {
    for (const reading of block) {
      if ('problem' in reading) {
        badLines.add({ line: shownLine(reading.line), ...reading.problem });
        continue;
      }
      batch.add(reading.record, reading.line);
      if (!batch.isFull) continue;
      await begin(batch);
      batch = new AccountBatch();
    }
  });
  if (batch.length > 0) await begin(batch);
  return isInterrupted;
}
