import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 10;
const PATIENCE_MS = 20_000;

/** Ask again until it is so, or fail: a test never goes on because enough time has passed. */
export async function waitUntil(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`Waited in vain: ${what}.`);
    await delay(POLL_MS);
  }
}
