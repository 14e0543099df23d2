import { ConnectionShares } from './connection-shares.js';

/** Records the order in which work starts, and ends it when the test says so. */
class Recorder {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly shares: ConnectionShares) {}

  /** @param name its first letter is the owner */
  run(...names: string[]): void {
    for (const name of names) {
      void this.shares.run(name[0]!, () => {
        this.started.push(name);
        return new Promise<void>((resolve) => this.ends.set(name, resolve));
      });
    }
  }

  async end(name: string): Promise<void> {
    this.ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('the connections of a process', () => {
  it.each([
    [2, 1, 1],
    [3, 2, 1],
    [4, 3, 2],
    [5, 4, 3],
    [10, 7, 5],
    [200, 140, 98],
  ])('%d in all: %d for work that may wait, %d of them for one owner', (connections, all, one) => {
    const { runningMax, ownerMax } = new ConnectionShares(connections);
    expect([runningMax, ownerMax]).toEqual([all, one]);
  });

  it('are used at once, up to the share of the owner and of all', () => {
    const recorder = new Recorder(new ConnectionShares(10));
    recorder.run('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3');
    expect(recorder.started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2']);
  });

  it('are given to one waiting owner after the other, and within an owner in the order of its work', async () => {
    const recorder = new Recorder(new ConnectionShares(3));
    recorder.run('a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'c1', 'c2');
    expect(recorder.started).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'c2']) await recorder.end(name);
    expect(recorder.started).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'c2', 'a4']);
  });

  it('are not kept from an owner that needs one while another waits for its own', async () => {
    const recorder = new Recorder(new ConnectionShares(3));
    recorder.run('a1', 'a2', 'a3', 'b1');
    expect(recorder.started).toEqual(['a1', 'b1']);
    await recorder.end('b1');
    expect(recorder.started).toEqual(['a1', 'b1']);
    await recorder.end('a1');
    expect(recorder.started).toEqual(['a1', 'b1', 'a2']);
  });

  it('return after work that fails, at once or later, and its error is passed on', async () => {
    const shares = new ConnectionShares(2);
    const failed = (): Promise<never> => Promise.reject(new Error('failed'));
    const thrown = (): Promise<never> => {
      throw new Error('thrown');
    };
    const [first, second, third] = await Promise.allSettled([
      shares.run('a', failed),
      shares.run('a', thrown),
      shares.run('b', () => Promise.resolve('fine')),
    ]);
    expect([first, second, third]).toMatchObject([
      { reason: { message: 'failed' } },
      { reason: { message: 'thrown' } },
      { value: 'fine' },
    ]);
  });
});
