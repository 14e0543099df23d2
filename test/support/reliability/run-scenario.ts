import { ImportLoad, type LoadOptions, type LoadResult } from '../import-load.js';
import { between, randomOf } from './random.js';
import type { FaultySite, Scenario } from './scenario.js';

export interface RunOptions {
  readonly seed: number;
  readonly callers: number;
  /** Answered requests between two faults: on average, or more. */
  readonly requestsBetween: number;
  /** Called when the site is there. */
  readonly onStart?: () => void;
  /** Called after each round of faults; further rounds follow until it holds. */
  readonly isOver: () => boolean;
  readonly repeats?: LoadOptions['repeats'];
  /** Fires when the run is to end early; what was started is stopped then. */
  readonly interrupted?: AbortSignal;
}

export interface ScenarioResult extends LoadResult {
  /** How many faults were made. */
  readonly faults: number;
}

/** Start the site of a scenario, make its faults under load, and count what is stored in the end. */
export async function runScenario(scenario: Scenario, options: RunOptions): Promise<ScenarioResult> {
  const site = await scenario.start();
  const ended = new AbortController();
  try {
    return await Promise.race([runOn(site, options), interruption(options.interrupted, ended.signal)]);
  } finally {
    ended.abort();
    await site.stop();
  }
}

async function runOn(site: FaultySite, options: RunOptions): Promise<ScenarioResult> {
  const { seed, callers, requestsBetween, isOver, repeats = 'at-once' } = options;
  const random = randomOf(seed);
  const load = await ImportLoad.start(site.connect, site.database, callers, { repeats, ...site.load });
  const someMore = (): Promise<void> =>
    load.more(between(random, requestsBetween / 2, (requestsBetween * 3) / 2));
  let faults = 0;
  options.onStart?.();
  do {
    for (const fault of site.faults) {
      await someMore();
      await fault(load, random);
      faults += 1;
    }
  } while (!isOver());
  await someMore();
  return { faults, ...(await load.stop(site.database)) };
}

/** Fails when the run is interrupted before it has ended. */
function interruption(interrupted: AbortSignal | undefined, ended: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => {
      reject(new Error('interrupted'));
    };
    if (interrupted?.aborted === true) end();
    interrupted?.addEventListener('abort', end, { signal: ended });
  });
}
