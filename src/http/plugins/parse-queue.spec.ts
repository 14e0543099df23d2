import { ParseQueue } from './parse-queue.js';

describe('the queue of bodies that are complete', () => {
  const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are one for each iteration of the event loop when they are large, in the order in which they came', async () => {
    const queue = new ParseQueue();
    const parsed: string[] = [];
    for (const name of ['a', 'b', 'c']) queue.enqueue(() => parsed.push(name));
    expect(parsed).toEqual(['a']);
    await nextIteration();
    expect(parsed).toEqual(['a', 'b']);
    queue.enqueue(() => parsed.push('d'));
    await nextIteration();
    await nextIteration();
    expect(parsed).toEqual(['a', 'b', 'c', 'd']);
    await nextIteration();
    queue.enqueue(() => parsed.push('e'));
    expect(parsed.at(-1)).toBe('e');
  });

  it('follow one that fails', async () => {
    const queue = new ParseQueue();
    const parsed: string[] = [];
    const fails = (): void => {
      throw new Error('cannot be parsed');
    };
    expect(() => {
      queue.enqueue(fails);
    }).toThrow('cannot be parsed');
    queue.enqueue(() => parsed.push('next'));
    await nextIteration();
    expect(parsed).toEqual(['next']);
  });
});
