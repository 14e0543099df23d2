import { AddRouteConfig } from '../common/route-config.js';
import type { Amounts } from './budget.js';

/** What the answer with a list has in memory at most: two of its pieces, of 10,000 accounts with long numbers. */
export const LIST_BYTES = 4_194_304;

/** The options of a route whose requests hold something that others do not. */
export interface HoldsConfig {
  readonly holds?: Amounts;
}

/** Names what a request of a route holds, besides one open answer; `answer_bytes` are the most that its answer has in memory. */
export function Holds(holds: Amounts): MethodDecorator {
  const config: HoldsConfig = { holds };
  return AddRouteConfig(config);
}
