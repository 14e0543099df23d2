import { findHaproxy } from '../support/haproxy.js';
import { rollingRestart } from '../support/rolling-restart.js';

/** How long; the round that has begun is completed. */
const SECONDS = Number(process.env.SOAK_SECONDS ?? 60);

const program = await findHaproxy();
if (program === undefined) {
  process.stderr.write('Not run: the rolling restart behind HAProxy, which is not installed.\n');
}

describe('two instances behind HAProxy', () => {
  it(
    'are restarted one after the other without a failed request (O4)',
    async () => {
      if (program === undefined) return;
      const { failures, exitCodes, ...figures } = await rollingRestart(program, SECONDS);
      process.stdout.write(
        `rolling restart (HAProxy ${program.version}): ${JSON.stringify({ ...figures, failures: failures.length })}\n`,
      );
      expect(failures).toEqual([]);
      expect(new Set(exitCodes)).toEqual(new Set([0]));
      const { requests, answered, lost, doubled } = figures;
      expect({ answered, lost, doubled }).toEqual({ answered: requests, lost: 0, doubled: 0 });
    },
    SECONDS * 1_000 + 300_000,
  );
});
