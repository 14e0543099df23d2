import type { RuntimeLimits } from './runtime-limits.js';
import type { Violation } from './violation.js';

/** A JSON Schema, as contract/openapi.json publishes it. */
export type Schema = Readonly<Record<string, unknown>> & { readonly description?: string };

/** The rule of one field: a pure function, which validation and its fast path share, and the schema of what it accepts. */
export interface Rule {
  /**
   * @param value anything but `undefined`
   * @returns why the value is refused, for a list of plain values once for each refused item; undefined when it is accepted
   */
  readonly violation: (value: unknown, limits: RuntimeLimits) => Violation | readonly Violation[] | undefined;
  readonly schema: Schema;
  /** Of a list: the most items it may have. @param itemsMax see {@link RuntimeLimits} */
  readonly itemsAllowed?: (itemsMax: number) => number;
  /** The catalogue that holds the accepted values. */
  readonly catalogue?: string;
}

/** A rule that depends on nothing but the value. */
export interface PlainRule extends Rule {
  readonly violation: (value: unknown) => Violation | undefined;
}
