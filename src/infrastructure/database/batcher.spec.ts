import { Batcher } from './batcher.js';
import type { UnitOfWork } from './unit-of-work.js';

describe('requests that never get a connection', () => {
  it('fail with the reason, and so do later ones', async () => {
    const closed = new Error('It was closed.');
    const work = { atSupplier: () => Promise.reject(closed) } as unknown as UnitOfWork;
    const echo = new Batcher<string, string>(work, {
      execute: () => {
        throw new Error('There is no database here.');
      },
      ownerOf: () => 'owner',
      keyOf: () => 'the same for all, so that each is a query of its own',
    });
    const outcomes = await Promise.allSettled(
      ['first', 'second', 'third'].map((one) => echo.enqueue(1, one)),
    );
    const failed = { status: 'rejected', reason: closed };
    expect(outcomes).toEqual([failed, failed, failed]);
    await expect(echo.enqueue(1, 'later')).rejects.toBe(closed);
  });
});
