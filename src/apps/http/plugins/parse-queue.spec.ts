import { ParseQueue } from './parse-queue.js';

const { jest } = import.meta;

describe('the queue of bodies that are complete', () => {
  let nowMs: number;
  let queue: ParseQueue;
  let parsed: string[];

  /** @param tookMs how long parsing it takes */
  const enqueue = (name: string, tookMs: number): void => {
    queue.enqueue(() => {
      parsed.push(name);
      nowMs += tookMs;
    });
  };

  beforeEach(() => {
    jest.useFakeTimers();
    nowMs = 0;
    queue = new ParseQueue(() => nowMs);
    parsed = [];
  });

  afterEach(() => jest.useRealTimers());

  it('are parsed in the order in which they came, each after a pause as long as the one before took', () => {
    enqueue('a', 10);
    enqueue('b', 20);
    enqueue('c', 1);
    expect(parsed).toEqual(['a']);
    jest.advanceTimersByTime(9);
    expect(parsed).toEqual(['a']);
    jest.advanceTimersByTime(1);
    expect(parsed).toEqual(['a', 'b']);
    jest.advanceTimersByTime(19);
    enqueue('d', 1);
    expect(parsed).toEqual(['a', 'b']);
    jest.runAllTimers();
    expect(parsed).toEqual(['a', 'b', 'c', 'd']);
    enqueue('e', 1);
    expect(parsed.at(-1)).toBe('e');
  });

  it('follow one that fails', () => {
    const fails = (): void => {
      throw new Error('cannot be parsed');
    };
    expect(() => {
      queue.enqueue(fails);
    }).toThrow('cannot be parsed');
    enqueue('next', 1);
    jest.runAllTimers();
    expect(parsed).toEqual(['next']);
  });
});
