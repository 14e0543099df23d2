import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;
const TIMEOUT_MS = 60_000;

/** Poll until a condition holds; fail after a minute. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Timed out: ${what}.`);
    await delay(POLL_MS);
  }
}

/** What takes time itself: the pause of a client, a slow network. Whoever waits for something uses {@link waitUntil}. */
export function elapse(ms: number): Promise<void> {
  return delay(ms);
}
