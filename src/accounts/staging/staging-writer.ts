import type { StagingBatch } from './staging-batch.js';

/** Batcher that are written at the same time, each on a connection of its own. */
const IN_HAND_MAX = 2;

/**
 * Writes batches, several at the same time. One that has a number in common with a batch in hand waits for it, so that the
 * last record of an account stands.
 *
 * A file holds new accounts, or for long stretches known ones, so each batch is expected to be as the last one was.
 */
export class StagingWriter {
  private readonly inHand = new Map<StagingBatch, Promise<void>>();
  private areLikelyNew = true;
  private failure?: { readonly error: unknown };

  /** @param write tells whether the accounts of the batch were all new; told whether they are likely to be */
  constructor(private readonly write: (batch: StagingBatch, isLikelyNew: boolean) => Promise<boolean>) {}

  /** @returns when the batch is being written; rejected when an earlier one has failed */
  async begin(batch: StagingBatch): Promise<void> {
    for (;;) {
      if (this.failure) throw this.failure.error;
      const obstacles = [...this.inHand]
        .filter(([other]) => this.inHand.size === IN_HAND_MAX || batch.sharesNumberWith(other))
        .map(([, written]) => written);
      if (obstacles.length === 0) break;
      await Promise.race(obstacles);
    }
    this.inHand.set(batch, this.finish(batch));
  }

  /** Wait for everything that was begun; rejected when any of it has failed. */
  async end(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure.error;
  }

  /** When nothing is being written any more, whatever became of it. */
  async settled(): Promise<void> {
    await Promise.all(this.inHand.values());
  }

  /** Never rejected: a failure is told to whoever goes on. */
  private async finish(batch: StagingBatch): Promise<void> {
    try {
      this.areLikelyNew = await this.write(batch, this.areLikelyNew);
    } catch (error) {
      this.failure ??= { error };
    }
    this.inHand.delete(batch);
  }
}
