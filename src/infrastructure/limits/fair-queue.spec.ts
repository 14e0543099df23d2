import { FairQueue } from './fair-queue.js';

/** Records the order in which work starts, and ends it when the test says so. */
class Recorder {
  readonly started: string[] = [];
  private readonly ends = new Map<string, () => void>();

  constructor(private readonly queue: FairQueue) {}

  /** @param name its first letter is the holder */
  run(...names: string[]): void {
    for (const name of names) {
      void this.queue.run(name[0]!, () => {
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
  ])('%d in total: %d for queued work, %d of them for one holder', (connections, all, one) => {
    const recorder = new Recorder(FairQueue.ofConnections(connections));
    const names = (holder: string): string[] =>
      Array.from({ length: connections }, (_, i) => holder + String(i));
    recorder.run(...names('a'));
    expect(recorder.started).toHaveLength(one);
    recorder.run(...names('b'), ...names('c'), ...names('d'));
    expect(recorder.started).toHaveLength(all);
  });

  it('are used at once, up to the limits of the holder and the total', () => {
    const recorder = new Recorder(FairQueue.ofConnections(10));
    recorder.run('a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3');
    expect(recorder.started).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2']);
  });

  it('are given to waiting holders in turn, and to the work of each holder in order', async () => {
    const recorder = new Recorder(FairQueue.ofConnections(3));
    recorder.run('a1', 'b1', 'a2', 'a3', 'a4', 'b2', 'c1', 'c2');
    expect(recorder.started).toEqual(['a1', 'b1']);
    for (const name of ['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'c2']) await recorder.end(name);
    expect(recorder.started).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'a3', 'c2', 'a4']);
  });

  it('are available to a holder while another waits at its limit', async () => {
    const recorder = new Recorder(FairQueue.ofConnections(3));
    recorder.run('a1', 'a2', 'a3', 'b1');
    expect(recorder.started).toEqual(['a1', 'b1']);
    await recorder.end('b1');
    expect(recorder.started).toEqual(['a1', 'b1']);
    await recorder.end('a1');
    expect(recorder.started).toEqual(['a1', 'b1', 'a2']);
  });

  it('are released after work that fails at once or later, and its error is passed on', async () => {
    const queue = FairQueue.ofConnections(2);
    const failed = (): Promise<never> => Promise.reject(new Error('failed'));
    const thrown = (): Promise<never> => {
      throw new Error('thrown');
    };
    const [first, second, third] = await Promise.allSettled([
      queue.run('a', failed),
      queue.run('a', thrown),
      queue.run('b', () => Promise.resolve('fine')),
    ]);
    expect([first, second, third]).toMatchObject([
      { reason: { message: 'failed' } },
      { reason: { message: 'thrown' } },
      { value: 'fine' },
    ]);
  });
});
