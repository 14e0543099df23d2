import type { RuntimeLimits } from './runtime-limits.js';
import type { Violation } from './violation.js';

/** A JSON Schema, as published in contract/openapi.json. */
export type Schema = Readonly<Record<string, unknown>> & { readonly description?: string };

/** The rule of one field: a pure function, which validation and its fast path share, and the schema of the accepted values. */
export interface Rule {
  /**
   * @param value anything but `undefined`
   * @returns why the value is rejected, or undefined if it is accepted; for a list of plain values, one violation for each
   * rejected item
   */
  readonly violation: (value: unknown, limits: RuntimeLimits) => Violation | readonly Violation[] | undefined;
  readonly schema: Schema;
  /** For a list: the maximum number of items. @param itemsMax see {@link RuntimeLimits} */
  readonly itemsAllowed?: (itemsMax: number) => number;
  /** The catalogue with the accepted values. */
  readonly catalogue?: string;
}

/** A rule that depends on the value alone. */
export interface PlainRule extends Rule {
  readonly violation: (value: unknown) => Violation | undefined;
}
