import { testCrashes } from '../support/crashes.js';

/** How long processes are killed; one round more is completed. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 300);

describe('an import request that is repeated until it is answered, for a long time', () => {
  let endsAtMs: number;
  beforeAll(() => {
    endsAtMs = performance.now() + SECONDS * 1_000;
  });

  testCrashes({
    requestsBetween: 60,
    isOver: () => performance.now() > endsAtMs,
    timeoutMs: SECONDS * 1_000 + 300_000,
  });
});
