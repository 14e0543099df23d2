import type { AccountBatch } from '../files/account-batch.js';

/** Batches written at the same time, each on its own connection. */
const WRITING_MAX = 2;

/**
 * Writes several batches at the same time. No two of them have a number in common (RepeatedNumbers).
 *
 * Most files hold only new accounts, or long runs of known ones, so each batch is expected to be like the one before.
 */
export class StagingWriter {
  private readonly writing = new Set<Promise<void>>();
  private areLikelyNew = true;
  private failure?: { readonly error: unknown };

  /** @param write gets whether all accounts of the batch are likely to be new; returns whether they were */
  constructor(private readonly write: (batch: AccountBatch, isLikelyNew: boolean) => Promise<boolean>) {}

  /** Resolves when writing of the batch has started; rejects if an earlier batch failed. */
  async begin(batch: AccountBatch): Promise<void> {
    if (this.writing.size === WRITING_MAX) await Promise.race(this.writing);
    if (this.failure) throw this.failure.error;
    const written = this.finish(batch).finally(() => this.writing.delete(written));
    this.writing.add(written);
  }

  /** Wait for every batch; rejects if one of them failed. */
  async end(): Promise<void> {
    await this.settled();
    if (this.failure) throw this.failure.error;
  }

  /** Wait until nothing is being written, whatever the outcome. */
  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }

  /** Never rejects: the next caller gets the error. */
  private async finish(batch: AccountBatch): Promise<void> {
    try {
      this.areLikelyNew = await this.write(batch, this.areLikelyNew);
    } catch (error) {
      this.failure ??= { error };
    }
  }
}
