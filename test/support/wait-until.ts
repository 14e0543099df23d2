import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
/** Less than a test has (jest.config.mjs), so that the condition is named. */
const TIMEOUT_MS = 240_000;

/** Poll until a condition holds; fail when it does not come true at all. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Timed out: ${what}.`);
    await delay(POLL_MS);
  }
}

/**
 * Ask until the answer is no.
 *
 * @param isStill asked again and again, also on a machine that is too busy to answer at once
 * @returns when the last question was asked that was answered with yes, in milliseconds as `performance.now()` has them
 */
export async function untilNoLonger(what: string, isStill: () => Promise<boolean>): Promise<number> {
  let lastAskedMs = -Infinity;
  await waitUntil(what, async () => {
    const askedMs = performance.now();
    if (!(await isStill())) return true;
    lastAskedMs = askedMs;
    return false;
  });
  return lastAskedMs;
}

/** What takes time itself: the pause of a client, a slow network. Whoever waits for something uses {@link waitUntil}. */
export function elapse(ms: number): Promise<void> {
  return delay(ms);
}
