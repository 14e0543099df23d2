import type { Rule } from './rule.js';
import { wrongType, type Violation } from './violation.js';

/** Limits for the number of items in a list. */
export interface ListLimits {
  readonly min?: number;
  /** If absent, the configured limit applies. */
  readonly max?: number;
}

const CONFIGURED_MAX = 'The most items are 5,000, unless the operator has set another limit.';

/** The violation of a list with more items than allowed (choice T15). */
export function tooManyItems(allowed: number): Violation {
  return { code: 'max_length', detail: `At most ${allowed} items are allowed.` };
}

/** A list with a limited number of items of any type (choice T15). */
export function list({ min = 0, max }: ListLimits): Rule & Required<Pick<Rule, 'itemsAllowed'>> {
  const itemsAllowed = (itemsMax: number): number => max ?? itemsMax;
  return {
    itemsAllowed,
    violation: (value, { itemsMax }) => {
      if (!Array.isArray(value)) return wrongType(value, 'a list');
      const allowed = itemsAllowed(itemsMax);
      if (value.length < min) return { code: 'min_length', detail: `At least ${min} item is required.` };
      return value.length > allowed ? tooManyItems(allowed) : undefined;
    },
    schema: {
      type: 'array',
      minItems: min,
      ...(max === undefined ? { description: CONFIGURED_MAX } : { maxItems: max }),
    },
  };
}
