import { ParseQueue } from './parse-queue.js';

const { jest } = import.meta;

describe('the queue of complete bodies', () => {
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

  it('parses bodies in order of arrival, each after a pause as long as the previous one took', () => {
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

  it('continues after a body that cannot be parsed', () => {
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
