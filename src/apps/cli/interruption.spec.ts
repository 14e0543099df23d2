import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import { watchSignals } from './interruption.js';

describe('the signals of a command', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function watch(): { signals: EventEmitter; received: string[]; stop: () => void } {
    const [signals, received] = [new EventEmitter(), [] as string[]];
    const stop = watchSignals(
      signals,
      ({ exitCode, message }) => received.push(`first ${exitCode} ${message}`),
      ({ exitCode }) => received.push(`second ${exitCode}`),
    );
    return { signals, received, stop };
  }

  it('interrupt it once when several arrive within a second (section 6)', () => {
    const { signals, received } = watch();
    signals.emit('SIGINT');
    jest.advanceTimersByTime(1_000);
    signals.emit('SIGTERM');
    expect(received).toEqual(['first 130 The command was interrupted (SIGINT) before it was done.']);
  });

  it('end it immediately when another one arrives after a second (section 6)', () => {
    const { signals, received } = watch();
    signals.emit('SIGTERM');
    jest.advanceTimersByTime(1_001);
    signals.emit('SIGINT');
    expect(received).toEqual([
      'first 143 The command was interrupted (SIGTERM) before it was done.',
      'second 130',
    ]);
  });

  it('have their default effect after it has ended', () => {
    const { signals, stop } = watch();
    stop();
    expect(signals.eventNames()).toEqual([]);
  });
});
