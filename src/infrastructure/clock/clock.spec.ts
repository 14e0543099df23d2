import { readEnvironment } from '../config/env.js';
import { Clock } from './clock.js';

const { jest } = import.meta;

describe('today', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    ['Europe/Berlin', '2026-11-20T22:59:59.999Z', '2026-11-20', '2026-11-20T23:00:00Z', '2026-11-21'],
    ['Asia/Kathmandu', '2026-11-20T18:14:59.999Z', '2026-11-20', '2026-11-20T18:15:00Z', '2026-11-21'],
    ['America/New_York', '2026-11-21T04:59:59.999Z', '2026-11-20', '2026-11-21T05:00:00Z', '2026-11-21'],
  ])('changes at midnight in %s, and goes back with the clock (S6)', (timeZone, before, day, after, next) => {
    const clock = new Clock(readEnvironment({ PLATFORM_TIMEZONE: timeZone }));
    const days = [before, after, before].map((time) => {
      jest.setSystemTime(new Date(time));
      return clock.today();
    });
    expect(days).toEqual([day, next, day]);
  });
});
