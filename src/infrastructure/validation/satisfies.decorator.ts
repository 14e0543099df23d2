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

let currentLimits: RuntimeLimits | undefined;

/**
 * Run one synchronous validation with limits. class-validator passes no context to its constraints. A validation never yields, so
 * a variable that is set while it runs is safe.
 */
export function withLimits<T>(limits: RuntimeLimits, validate: () => T): T {
  const outer = currentLimits;
  currentLimits = limits;
  try {
    return validate();
  } finally {
    currentLimits = outer;
  }
}

/** The name under which class-validator reports failures of this constraint. */
export const SATISFIES = 'satisfies';

/** The constraint of a field that has a {@link Rule}. Its message is the rule's violation as JSON (findings.ts). */
@ValidatorConstraint({ name: SATISFIES })
export class SatisfiesConstraint implements ValidatorConstraintInterface {
  private message = '';

  validate(value: unknown, { constraints: [rule] }: ValidationArguments): boolean {
    if (currentLimits === undefined) throw new Error('A field is validated outside of withLimits.');
    const violation =
      value === undefined ? wrongType(value, 'a value') : (rule as Rule).violation(value, currentLimits);
    // class-validator replaces `$value` and similar words in messages; as a JSON escape, the sign is left alone.
    if (violation) this.message = JSON.stringify(violation).replaceAll('$', '\\u0024');
    return violation === undefined;
  }

  /** class-validator requests the message right after the failed validation. */
  defaultMessage(): string {
    return this.message;
  }
}

/** The field's value must satisfy a rule; if it is absent, the field is `required`. */
export function Satisfies(rule: Rule): PropertyDecorator {
  return ValidateBy({ name: SATISFIES, constraints: [rule], validator: SatisfiesConstraint });
}

/** Whether a field was sent. `null` counts as sent: only an omitted field has no value (choice T9). */
export function isSent(_object: unknown, value: unknown): boolean {
  return value !== undefined;
}

/** The field may be omitted. class-validator's `IsOptional` would also accept `null`, which must be rejected (choice T9). */
export function Optional(): PropertyDecorator {
  return ValidateIf(isSent);
}
