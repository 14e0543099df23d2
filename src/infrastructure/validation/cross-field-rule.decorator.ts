import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { FieldError } from '../errors/errors.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';

/** A rule that compares several fields of one object, or several items of one list. */
export interface CrossFieldRule<T> {
  /** The rule applies only if none of these fields has an error of its own. */
  readonly needs: readonly (keyof T & string)[];
  /** @returns errors whose `attr` is relative to the object; `''` is the object itself */
  readonly errors: (object: T, limits: RuntimeLimits) => readonly FieldError[];
}

const RULES = Symbol('cross-field rules');

/** Add a cross-field rule to a payload class. */
export function CrossField<T extends object>(rule: CrossFieldRule<T>): (target: Type<T>) => void {
  return (target) => {
    Reflect.defineMetadata(RULES, [...crossFieldRulesOf(target), rule], target);
  };
}

/** The rules that {@link CrossField} added to a class, from the bottom decorator up. */
export function crossFieldRulesOf(target: Type<object>): readonly CrossFieldRule<Record<string, unknown>>[] {
  return (Reflect.getMetadata(RULES, target) ?? []) as CrossFieldRule<Record<string, unknown>>[];
}
