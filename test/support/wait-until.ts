import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
/** Less than the timeout of a test (jest.config.mjs), so that the error names the condition. */
const TIMEOUT_MS = 240_000;

/** Poll until a condition holds. @throws Error naming the condition after the timeout */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Timed out: ${what}.`);
    await delay(POLL_MS);
  }
}

/**
 * Poll until a condition no longer holds.
 *
 * @param isStill the condition; on a busy machine, its answer may be slow
 * @returns when the last call began that answered true, in milliseconds of `performance.now()`
 */
export async function untilNoLonger(what: string, isStill: () => Promise<boolean>): Promise<number> {
  let lastTrueMs = -Infinity;
  await waitUntil(what, async () => {
    const calledMs = performance.now();
    if (!(await isStill())) return true;
    lastTrueMs = calledMs;
    return false;
  });
  return lastTrueMs;
}

/** For pauses that a test simulates, such as a slow network. To wait for a condition, use {@link waitUntil}. */
export function elapse(ms: number): Promise<void> {
  return delay(ms);
}
