import {
  ValidateBy,
  ValidateIf,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import type { Rule } from './rules/rule.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';
import { wrongType } from './rules/violation.js';

let limitsInForce: RuntimeLimits | undefined;

/**
 * Run one synchronous validation under limits. class-validator hands no context to its constraints, and a validation never
 * yields, so a variable that is set for its duration is exact.
 */
export function withLimits<T>(limits: RuntimeLimits, validate: () => T): T {
  const outer = limitsInForce;
  limitsInForce = limits;
  try {
    return validate();
  } finally {
    limitsInForce = outer;
  }
}

/** The name of the constraint, under which class-validator reports what it refuses. */
export const SATISFIES = 'satisfies';

/** The constraint of a field that has a {@link Rule}; its message is the rule's violation as JSON (findings.ts). */
@ValidatorConstraint({ name: SATISFIES })
export class SatisfiesConstraint implements ValidatorConstraintInterface {
  private message = '';

  validate(value: unknown, { constraints: [rule] }: ValidationArguments): boolean {
    if (limitsInForce === undefined) throw new Error('A field is validated outside of withLimits.');
    const violation =
      value === undefined ? wrongType(value, 'a value') : (rule as Rule).violation(value, limitsInForce);
    // class-validator replaces `$value` and the like in messages; within JSON the sign can be written so that it does not.
    if (violation) this.message = JSON.stringify(violation).replaceAll('$', '\\u0024');
    return violation === undefined;
  }

  /** class-validator calls for the message right after the validation that failed. */
  defaultMessage(): string {
    return this.message;
  }
}

/** The value of the field satisfies a rule; absent it is `required`. */
export function Satisfies(rule: Rule): PropertyDecorator {
  return ValidateBy({ name: SATISFIES, constraints: [rule], validator: SatisfiesConstraint });
}

/** Whether a field was sent. `null` was: only an omitted field means that there is nothing (choice T9). */
export function isSent(_object: unknown, value: unknown): boolean {
  return value !== undefined;
}

/** The field may be omitted. class-validator's `IsOptional` would also accept `null`, which is refused (choice T9). */
export function Optional(): PropertyDecorator {
  return ValidateIf(isSent);
}
