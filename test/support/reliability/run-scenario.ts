import { ImportLoad, type LoadOptions, type LoadResult } from '../import-load.js';
import { between, randomOf } from './random.js';
import type { FaultySite, Scenario } from './scenario.js';

export interface RunOptions {
  readonly seed: number;
  readonly callers: number;
  /** Answered requests between two faults, on average; at least half as many. */
  readonly requestsBetween: number;
  /** Called when the site has started. */
  readonly onStart?: () => void;
  /** Called after each round of faults; rounds are repeated until it returns true. */
  readonly isOver: () => boolean;
  readonly repeats?: LoadOptions['repeats'];
  /** Aborted to end the run early; everything that was started is stopped. */
  readonly interrupted?: AbortSignal;
}

export interface ScenarioResult extends LoadResult {
  /** The number of faults injected. */
  readonly faults: number;
}

/** Start the site of a scenario, inject its faults under load, and compare the stored items with the acknowledged ones. */
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

/** Rejects when the run is interrupted before it has ended. */
function interruption(interrupted: AbortSignal | undefined, ended: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => {
      reject(new Error('interrupted'));
    };
    if (interrupted?.aborted === true) end();
    interrupted?.addEventListener('abort', end, { signal: ended });
  });
}
