import type { AccountBatch } from '../files/account-batch.js';

/** Batches written at the same time, each on its own connection. */
const WRITING_MAX = 2;

/**
 * Writes several batches at the same time. A batch waits for any other batch that contains one of its numbers, so that the last
 * record of an account wins.
 *
 * Most files hold only new accounts, or long runs of known ones, so each batch is expected to be like the one before.
 */
export class StagingWriter {
  private readonly writing = new Map<AccountBatch, Promise<void>>();
  private areLikelyNew = true;
  private failure?: { readonly error: unknown };

  /** @param write gets whether all accounts of the batch are likely to be new; returns whether they were */
  constructor(private readonly write: (batch: AccountBatch, isLikelyNew: boolean) => Promise<boolean>) {}

  /** Resolves when writing of the batch has started; rejects if an earlier batch failed. */
  async begin(batch: AccountBatch): Promise<void> {
    for (;;) {
      if (this.failure) throw this.failure.error;
      const blockers = [...this.writing]
        .filter(([other]) => this.writing.size === WRITING_MAX || batch.sharesNumberWith(other))
        .map(([, written]) => written);
      if (blockers.length === 0) break;
      await Promise.race(blockers);
    }
    this.writing.set(batch, this.finish(batch));
  }

  /** Wait for every batch; rejects if one of them failed. */
  async end(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure.error;
  }

  /** Wait until nothing is being written, whatever the outcome. */
  async settled(): Promise<void> {
    await Promise.all(this.writing.values());
  }

  /** Never rejects: the next caller gets the error. */
  private async finish(batch: AccountBatch): Promise<void> {
    try {
      this.areLikelyNew = await this.write(batch, this.areLikelyNew);
    } catch (error) {
      this.failure ??= { error };
    }
    this.writing.delete(batch);
  }
}
