import { jest } from '@jest/globals';
import { startProgress } from './progress.js';

describe('progress where there is no terminal', () => {
  it('says that the service is asked in vain, and for how long, until a row is settled', () => {
    jest.useFakeTimers({ now: 0 });
    const lines: string[] = [];
    const stream = {
      isTTY: false,
      write: (text: string) => lines.push(text),
    } as unknown as NodeJS.WriteStream;
    const progress = startProgress(stream, Date.now);
    progress.kind('notes', 0, 200);
    progress.settled('notes', 100, 0);
    jest.advanceTimersByTime(10_000);
    progress.undecided(503);
    progress.undecided(0);
    jest.advanceTimersByTime(20_000);
    progress.settled('notes', 50, 0);
    jest.advanceTimersByTime(20_000);
    progress.stop();
    jest.useRealTimers();
    expect(lines).toEqual([
      'notes: 100 of 200 rows, 10 a second, 10 s left\n',
      'The service has not answered for 10 s; it is asked again.\n',
      'The service has not answered for 20 s; it is asked again.\n',
      'notes: 150 of 200 rows, 4 a second, 13 s left\n',
    ]);
  });
});
