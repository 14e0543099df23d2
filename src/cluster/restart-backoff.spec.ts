import { RestartBackoff } from './restart-backoff.js';

const STEADY_MS = 60_000;

describe('the pace at which workers are replaced', () => {
  it('is half a second for workers that have served for a minute, however many they are (6)', () => {
    const pace = new RestartBackoff();
    for (let ends = 0; ends < 20; ends += 1) expect(pace.delayAfter(STEADY_MS, false)).toBe(500);
  });

  it('doubles with each that ends early, up to half a minute, while another serves (6)', () => {
    const pace = new RestartBackoff();
    const delays = Array.from({ length: 9 }, () => pace.delayAfter(STEADY_MS - 1, true));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('gives up at the fifth in a row that ends early, when no other serves (6)', () => {
    const pace = new RestartBackoff();
    const delays = Array.from({ length: 5 }, () => pace.delayAfter(0, false));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, undefined]);
  });

  it('gives up as soon as the last one that served ends early too (6)', () => {
    const pace = new RestartBackoff();
    for (let ends = 0; ends < 8; ends += 1) expect(pace.delayAfter(0, true)).toBeGreaterThan(0);
    expect(pace.delayAfter(STEADY_MS - 1, false)).toBeUndefined();
  });

  it('begins anew when nothing has ended early for ten minutes (6)', () => {
    let now = 0;
    const pace = new RestartBackoff(() => now);
    const delays = [0, 600_000, 1_200_001, 1_200_001].map((at) => {
      now = at;
      return pace.delayAfter(0, true);
    });
    expect(delays).toEqual([500, 1_000, 500, 1_000]);
  });

  it('begins anew after a worker that has served for a minute (6)', () => {
    const pace = new RestartBackoff();
    for (let ends = 0; ends < 4; ends += 1) pace.delayAfter(0, false);
    expect(pace.delayAfter(STEADY_MS, false)).toBe(500);
    expect(pace.delayAfter(0, false)).toBe(500);
  });
});
