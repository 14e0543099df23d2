import type { ImportLoad, LoadOptions } from '../import-load.js';
import type { Random } from './random.js';
import type { Site } from './sites.js';

/** A fault, and the way back from it. It ends when the next one may follow. */
export type Fault = (load: ImportLoad, random: Random) => Promise<void>;

/** A site, and the faults that are made to it in turn. */
export interface FaultySite extends Site {
  readonly faults: readonly Fault[];
  readonly load?: LoadOptions;
}

export interface Scenario {
  /** For `--only`. */
  readonly name: string;
  /** What is done, for the table. */
  readonly fault: string;
  /** Whether `npm test` makes the fault too: a short run of the soak tests leaves it out. */
  readonly isInEveryTestRun?: boolean;
  /** Why it cannot be made on this machine. */
  readonly obstacle?: () => Promise<string | undefined>;
  /** Whether no request may fail, not even one that is repeated. */
  readonly isSeamless?: boolean;
  readonly start: () => Promise<FaultySite>;
}
