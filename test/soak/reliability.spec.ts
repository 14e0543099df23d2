import { expectNothingLost } from '../support/import-load.js';
import { runScenario } from '../support/reliability/run-scenario.js';
import type { Scenario } from '../support/reliability/scenario.js';
import { SOAK_SECONDS } from '../support/runs.js';
import { SCENARIOS } from '../support/reliability/scenarios.js';

const isShort = SOAK_SECONDS < 60;

const POSSIBLE: Scenario[] = [];
for (const scenario of SCENARIOS) {
  const isLeftOut = isShort && scenario.isInEveryTestRun === true;
  const obstacle = isLeftOut ? 'npm test makes this fault' : await scenario.obstacle?.();
  if (obstacle === undefined) POSSIBLE.push(scenario);
  else process.stderr.write(`Not run: ${scenario.name} (${obstacle}).\n`);
}
/** How long faults are injected; a round in progress is completed. */
const SECONDS = SOAK_SECONDS / POSSIBLE.length;

describe('an import request that is retried as docs/write-a-client.md says', () => {
  it.each(POSSIBLE)(
    'is stored once under the fault $name',
    async (scenario) => {
      let endsAtMs = 0;
      const result = await runScenario(scenario, {
        seed: 1,
        callers: 24,
        requestsBetween: 100,
        repeats: 'documented',
        onStart: () => {
          endsAtMs = performance.now() + SECONDS * 1_000;
        },
        isOver: () => performance.now() > endsAtMs,
      });
      if (scenario.isSeamless === true) expect(result.failures).toEqual([]);
      process.stdout.write(`${scenario.name}: ${expectNothingLost(result)}\n`);
    },
    SECONDS * 1_000 + 300_000,
  );
});
