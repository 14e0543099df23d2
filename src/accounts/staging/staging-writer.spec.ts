import { setImmediate as turn } from 'node:timers/promises';
import { AccountBatch } from '../files/account-batch.js';
import { StagingWriter } from './staging-writer.js';

/** A batch that the writer has started, and the functions that end it. */
interface BegunBatch {
  readonly batch: AccountBatch;
  readonly isLikelyNew: boolean;
  readonly end: (wereNew: boolean) => void;
  readonly fail: (error: Error) => void;
}

function batchOf(...numbers: string[]): AccountBatch {
  const batch = new AccountBatch();
  for (const externalAccountNumber of numbers) {
    batch.add(
      {
        externalAccountNumber,
        openStatementFrom: undefined,
        openStatementTo: undefined,
        account: undefined,
      },
      1,
    );
  }
  return batch;
}

describe('StagingWriter', () => {
  let begun: BegunBatch[];
  let writer: StagingWriter;
  beforeEach(() => {
    begun = [];
    writer = new StagingWriter(
      (batch, isLikelyNew) =>
        new Promise((end, fail) => {
          begun.push({ batch, isLikelyNew, end, fail });
        }),
    );
  });

  /** Begin a batch. @returns its promise, after all pending callbacks have run */
  const begin = async (batch: AccountBatch): Promise<{ written: Promise<void> }> => {
    const written = writer.begin(batch);
    written.catch(() => undefined);
    await turn();
    return { written };
  };

  it('writes two batches at the same time and not a third', async () => {
    const batches = ['A', 'B', 'C'].map((number) => batchOf(number));
    for (const batch of batches) await begin(batch);
    expect(begun.map(({ batch }) => batch)).toEqual(batches.slice(0, 2));
    begun[1]!.end(true);
    await turn();
    expect(begun.map(({ batch }) => batch)).toEqual(batches);
  });

  it('expects each batch to be like the previous one', async () => {
    for (const [index, wereNew] of [false, false, true, true].entries()) {
      await begin(batchOf(`${index}`));
      begun[index]!.end(wereNew);
      await turn();
    }
    expect(begun.map(({ isLikelyNew }) => isLikelyNew)).toEqual([true, false, false, true]);
  });

  it('rejects every call after an error, and starts no further batch', async () => {
    const failure = new Error('No connection.');
    await begin(batchOf('A'));
    await begin(batchOf('B'));
    const { written } = await begin(batchOf('C'));
    begun[0]!.fail(failure);
    await expect(written).rejects.toBe(failure);
    const ended = writer.end();
    begun[1]!.end(true);
    await expect(ended).rejects.toBe(failure);
    await expect(writer.begin(batchOf('D'))).rejects.toBe(failure);
    expect(begun).toHaveLength(2);
  });

  it('ends when all batches are written', async () => {
    await begin(batchOf('A'));
    let hasEnded = false;
    const ended = writer.end().then(() => {
      hasEnded = true;
    });
    await turn();
    expect(hasEnded).toBe(false);
    begun[0]!.end(true);
    await ended;
  });
});
