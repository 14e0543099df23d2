import { jest } from '@jest/globals';
import { Progress } from './progress.js';

/** Call a function with a progress, and return what it has written. Tests move the clock with `jest`. */
function written(stream: { isTTY: boolean; columns?: number }, work: (progress: Progress) => void): string[] {
  jest.useFakeTimers({ now: 0 });
  const texts: string[] = [];
  const all = { ...stream, write: (text: string) => texts.push(text) } as unknown as NodeJS.WriteStream;
  const progress = new Progress(all, Date.now);
  work(progress);
  progress.stop();
  jest.useRealTimers();
  return texts;
}

describe('progress where there is no terminal', () => {
  it('says that the service is asked in vain, and for how long, until a row is settled', () => {
    const lines = written({ isTTY: false }, (progress) => {
      progress.kind('notes', 0, 200);
      progress.settled('notes', 100, 0);
      jest.advanceTimersByTime(10_000);
      progress.undecided('answers 503');
      progress.undecided('does not answer');
      jest.advanceTimersByTime(20_000);
      progress.settled('notes', 50, 0);
      jest.advanceTimersByTime(20_000);
    });
    expect(lines).toEqual([
      'notes: 100 of 200 rows, 10 rows a second, 10 s left\n',
      'For 10 s the service does not answer; retrying.\n',
      'For 20 s the service does not answer; retrying.\n',
      'notes: 150 of 200 rows, 4 rows a second, 13 s left\n',
    ]);
  });

  it('says how long all kinds take, at the rate of the last minute, and then what is done with their rows', () => {
    const lines = written({ isTTY: false }, (progress) => {
      progress.reading('notes', 0.504);
      jest.advanceTimersByTime(10_000);
      progress.kind('notes', 500, 1_000);
      progress.kind('transactions', 0, 9_000);
      for (let second = 0; second < 10; second += 1) {
        progress.settled('notes', 50, second === 5 ? 2 : 0);
        jest.advanceTimersByTime(1_000);
      }
      for (let second = 0; second < 90; second += 1) {
        progress.settled('transactions', 10, 0);
        jest.advanceTimersByTime(1_000);
      }
      progress.kind('checked', 0, 10_000);
      progress.settled('checked', 5_000, 0);
      jest.advanceTimersByTime(10_000);
    });
    expect([lines[0], lines[1], lines.at(-2), lines.at(-1)]).toEqual([
      'notes: 50 % of the files read\n',
      'notes: 1,000 of 1,000 rows, 2 failed; all kinds: 10 %, 50 rows a second, 3 min left\n',
      'transactions: 900 of 9,000 rows; all kinds: 19 %, 10 rows a second, 14 min left\n',
      'checked: 5,000 of 10,000 rows, 500 rows a second, 10 s left\n',
    ]);
  });
});

describe('progress on a terminal', () => {
  it('has one line, which is not longer than the terminal is wide and stays at the end', () => {
    const texts = written({ isTTY: true, columns: 20 }, (progress) => {
      jest.advanceTimersByTime(1_000);
      progress.kind('notes', 0, 200);
      progress.settled('notes', 100, 0);
      jest.advanceTimersByTime(500);
      progress.settled('notes', 100, 0);
      progress.stop();
    });
    const line = (count: number): string => `\r\u001B[Knotes: ${count} of 200 r`;
    expect(texts).toEqual([line(100), line(100), line(200), '\n']);
  });
});
