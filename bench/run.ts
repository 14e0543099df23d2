import type { CleanUp } from './clean-up.js';
import type { BenchOptions } from './options.js';
import type { BenchPostgres } from './postgres.js';
import type { Scenario } from './scenarios.js';

/** What every measurement works with. */
export interface BenchRun {
  readonly postgres: BenchPostgres;
  readonly cleanUp: CleanUp;
  /** Print a sentence for people on standard error. */
  readonly log: (sentence: string) => void;
}

/** A measurement of scenarios. */
export interface ScenarioRun extends BenchRun {
  readonly options: BenchOptions;
  readonly scenarios: readonly Scenario[];
}
