import type { Rule } from '../rule.js';
import { wrongType } from '../violation.js';

/** How many items a list may have. */
export interface ListLimits {
  readonly min?: number;
  /** Without it the limit that the operator sets. */
  readonly max?: number;
}

const CONFIGURED_MAX = 'The most items are 5,000, unless the operator has set another limit.';

/** A list of so many items, whatever they are (choice T15). */
export function list({ min = 0, max }: ListLimits): Rule {
  return {
    violation: (value, { itemsMax }) => {
      if (!Array.isArray(value)) return wrongType(value, 'a list');
      const most = max ?? itemsMax;
      if (value.length < min) return { code: 'min_length', detail: `At least ${min} item is required.` };
      return value.length > most
        ? { code: 'max_length', detail: `At most ${most} items are allowed.` }
        : undefined;
    },
    schema: {
      type: 'array',
      minItems: min,
      ...(max === undefined ? { description: CONFIGURED_MAX } : { maxItems: max }),
    },
  };
}
