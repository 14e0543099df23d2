import { RestartBackoff } from './restart-backoff.js';

const EARLY_MS = 60_000;

describe('the delay before a worker is replaced', () => {
  it('is half a second for workers that served for a minute, however many end (section 6)', () => {
    const backoff = new RestartBackoff();
    for (let ends = 0; ends < 20; ends += 1) expect(backoff.delayAfter(EARLY_MS, false)).toBe(500);
  });

  it('doubles with each worker that ends early, up to half a minute, while another serves (section 6)', () => {
    const backoff = new RestartBackoff();
    const delays = Array.from({ length: 9 }, () => backoff.delayAfter(EARLY_MS - 1, true));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('ends with giving up at the fifth early end in a row when no other worker serves (section 6)', () => {
    const backoff = new RestartBackoff();
    const delays = Array.from({ length: 5 }, () => backoff.delayAfter(0, false));
    expect(delays).toEqual([500, 1_000, 2_000, 4_000, undefined]);
  });

  it('ends with giving up as soon as the last worker that served ends early too (section 6)', () => {
    const backoff = new RestartBackoff();
    for (let ends = 0; ends < 8; ends += 1) expect(backoff.delayAfter(0, true)).toBeGreaterThan(0);
    expect(backoff.delayAfter(EARLY_MS - 1, false)).toBeUndefined();
  });

  it('starts again at half a second when none has ended early for ten minutes (section 6)', () => {
    let now = 0;
    const backoff = new RestartBackoff(500, () => now);
    const delays = [0, 600_000, 1_200_001, 1_200_001].map((at) => {
      now = at;
      return backoff.delayAfter(0, true);
    });
    expect(delays).toEqual([500, 1_000, 500, 1_000]);
  });

  it('starts again at half a second after a worker that served for a minute (section 6)', () => {
    const backoff = new RestartBackoff();
    for (let ends = 0; ends < 4; ends += 1) backoff.delayAfter(0, false);
    expect(backoff.delayAfter(EARLY_MS, false)).toBe(500);
    expect(backoff.delayAfter(0, false)).toBe(500);
  });
});
