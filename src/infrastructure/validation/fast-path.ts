import type { PayloadShape } from './payload-shape.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';

/**
 * Whether an object is valid, with everything inside it. `false` is not a verdict: class-validator then decides. Whatever
 * this accepts, class-validator accepts too (payload-errors.spec.ts; decision 4).
 */
export function passesFastPath(shape: PayloadShape, value: unknown, limits: RuntimeLimits): boolean {
  if (!isObject(value) || !fieldsPassFastPath(shape, value, limits)) return false;
  for (const rule of shape.crossFieldRules) {
    if (rule.errors(value, limits).length > 0) return false;
  }
  for (const { name, items } of shape.lists) {
    // The rule of the list has just accepted it.
    for (const item of (value[name] ?? []) as unknown[]) {
      if (!passesFastPath(items, item, limits)) return false;
    }
  }
  return true;
}

/** Whether every field that was sent is known and valid, except the items of lists, and no required one is missing. */
export function fieldsPassFastPath(
  shape: PayloadShape,
  value: Record<string, unknown>,
  limits: RuntimeLimits,
): boolean {
  for (const name of Object.keys(value)) {
    const field = shape.fields.get(name);
    const content = value[name];
    if (field === undefined || content === undefined || field.violation(content, limits) !== undefined)
      return false;
  }
  for (const name of shape.required) {
    if (!Object.hasOwn(value, name)) return false;
  }
  return true;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
