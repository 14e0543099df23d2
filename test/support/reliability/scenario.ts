import type { ImportLoad, LoadOptions } from '../import-load.js';
import type { Random } from './random.js';
import type { Site } from './sites.js';

/** Injects a fault and recovers from it. Resolves when the next fault may follow. */
export type Fault = (load: ImportLoad, random: Random) => Promise<void>;

/** A site and the faults to inject, one after the other. */
export interface FaultySite extends Site {
  readonly faults: readonly Fault[];
  readonly load?: LoadOptions;
}

export interface Scenario {
  /** For `--only`. */
  readonly name: string;
  /** Description of the fault for the table of results. */
  readonly fault: string;
  /** Why this machine cannot run the scenario; undefined when it can. */
  readonly obstacle?: () => Promise<string | undefined>;
  /** Whether no request may fail, not even before a retry. */
  readonly isSeamless?: boolean;
  readonly start: () => Promise<FaultySite>;
}
