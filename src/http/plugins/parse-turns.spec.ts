import { ParseTurns } from './parse-turns.js';

describe('the turns of bodies that are complete', () => {
  const LARGE = 32_768;
  const nextIteration = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('are one for each iteration of the event loop when they are large, in the order in which they came', async () => {
    const turns = new ParseTurns();
    const parsed: string[] = [];
    for (const name of ['a', 'b', 'c']) turns.take(LARGE, () => parsed.push(name));
    expect(parsed).toEqual(['a']);
    await nextIteration();
    expect(parsed).toEqual(['a', 'b']);
    turns.take(LARGE, () => parsed.push('d'));
    await nextIteration();
    await nextIteration();
    expect(parsed).toEqual(['a', 'b', 'c', 'd']);
    await nextIteration();
    turns.take(LARGE, () => parsed.push('e'));
    expect(parsed.at(-1)).toBe('e');
  });

  it('are not needed when they are small', () => {
    const turns = new ParseTurns();
    const parsed: string[] = [];
    turns.take(LARGE, () => parsed.push('large'));
    for (const name of ['a', 'b']) turns.take(LARGE - 1, () => parsed.push(name));
    expect(parsed).toEqual(['large', 'a', 'b']);
  });

  it('follow one that fails', async () => {
    const turns = new ParseTurns();
    const parsed: string[] = [];
    const fails = (): void => {
      throw new Error('cannot be parsed');
    };
    expect(() => {
      turns.take(LARGE, fails);
    }).toThrow('cannot be parsed');
    turns.take(LARGE, () => parsed.push('next'));
    await nextIteration();
    expect(parsed).toEqual(['next']);
  });
});
