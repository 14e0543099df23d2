import 'reflect-metadata';
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import type { FieldError } from '../errors.js';
import { described, list, type FieldRule, type ListLimits, type RuleContext } from './rules.js';

/** Name under which class-validator knows a field of ours; its one constraint is the field's rule. */
export const FIELD = 'field';

let contextInForce: RuleContext | undefined;

/**
 * Run one synchronous validation with what its rules need to know. class-validator hands no context to its
 * constraints, and a validation never yields, so a variable in force for its duration is exact.
 */
export function withContext<T>(context: RuleContext, validate: () => T): T {
  const outer = contextInForce;
  contextInForce = context;
  try {
    return validate();
  } finally {
    contextInForce = outer;
  }
}

function checked(rule: FieldRule): PropertyDecorator {
  return ValidateBy({
    name: FIELD,
    constraints: [rule],
    validator: {
      validate: (value) => {
        if (contextInForce === undefined) throw new Error('A field is validated outside of a validation.');
        return value !== undefined && rule.violation(value, contextInForce) === undefined;
      },
      defaultMessage: () => 'see the rule',
    },
  });
}

const whenPresent = ValidateIf((_object, value) => value !== undefined);

/** A field that every payload carries; absent it is `required`. */
export function Required(rule: FieldRule): PropertyDecorator {
  return checked(rule);
}

/** A field that is left out when there is nothing to say; `null` is refused (contract T9). */
export function Omittable(rule: FieldRule): PropertyDecorator {
  return applyDecorators(whenPresent, checked(rule));
}

type ItemClass = new () => object;

/** The limits of a list, and a sentence about it for the published schema. */
type ListOptions = ListLimits & { readonly description?: string };

/** A required list of objects of their own class; `min`, else 1, to `max` of them, or to the configured number of items. */
export function RequiredList(item: () => ItemClass, options: ListOptions = {}): PropertyDecorator {
  return applyDecorators(checked(listRule({ min: 1, ...options })), ...nested(item));
}

/** As {@link RequiredList}, but it may be left out, or be empty. */
export function OmittableList(item: () => ItemClass, options: ListOptions = {}): PropertyDecorator {
  return applyDecorators(whenPresent, checked(listRule(options)), ...nested(item));
}

function listRule({ description, ...limits }: ListOptions): FieldRule {
  const rule = list(limits);
  return description === undefined ? rule : described(rule, description);
}

function nested(item: () => ItemClass): PropertyDecorator[] {
  return [ValidateNested({ each: true }), Type(item)];
}

/** A rule that looks at several fields of one object, or at several items of one list. */
export interface ObjectCheck<T> {
  /** The rule is asked only when none of these fields has an error of its own. */
  readonly needs: readonly (keyof T & string)[];
  /** @returns errors whose `attr` is relative to the object; `''` is the object itself */
  readonly errors: (object: T) => readonly FieldError[];
}

const CHECKS = Symbol('checks');

/** Attach a rule that looks at several fields to a payload class. */
export function Check<T extends object>(check: ObjectCheck<T>): (target: new () => T) => void {
  return (target) => {
    Reflect.defineMetadata(CHECKS, [...checksOf(target), check], target);
  };
}

/** The rules that {@link Check} attached to a class, in the order of their decorators from the bottom up. */
export function checksOf(target: new () => object): readonly ObjectCheck<Record<string, unknown>>[] {
  return (Reflect.getMetadata(CHECKS, target) ?? []) as ObjectCheck<Record<string, unknown>>[];
}
