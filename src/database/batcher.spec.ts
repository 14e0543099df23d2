import { Batcher } from './batcher.js';
import type { UnitOfWork } from './unit-of-work.js';

class Echo extends Batcher<string, string> {
  ask(request: string): Promise<string> {
    return this.enqueue(1, request);
  }

  protected execute(): Promise<readonly string[]> {
    throw new Error('There is no database here.');
  }

  protected override ownerOf(): string {
    return 'owner';
  }

  protected override keyOf(): string {
    return 'the same for all, so that each is a query of its own';
  }
}

describe('requests whose turn for a connection never comes', () => {
  it('fail with the reason, and so do those that come later', async () => {
    const closed = new Error('It was closed.');
    const echo = new Echo({ atSupplier: () => Promise.reject(closed) } as unknown as UnitOfWork);
    const outcomes = await Promise.allSettled(['first', 'second', 'third'].map((one) => echo.ask(one)));
    const failed = { status: 'rejected', reason: closed };
    expect(outcomes).toEqual([failed, failed, failed]);
    await expect(echo.ask('later')).rejects.toBe(closed);
  });
});
