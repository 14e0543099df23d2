import type { PayloadShape } from './payload-shape.js';
import type { RuntimeLimits } from './rules/runtime-limits.js';

/**
 * Whether an object and everything inside it is certainly valid. `false` is not a verdict: class-validator then decides. Every
 * object accepted here is also accepted by class-validator (payload-errors.spec.ts).
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

/** Whether every field that was sent is known and certainly valid, apart from the items of lists, and no required field is missing. */
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
