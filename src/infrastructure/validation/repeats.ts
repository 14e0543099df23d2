/**
 * Find the items of a list that repeat the value of an earlier item in a field that must be unique.
 *
 * @param items a list of a payload; items that are not objects and values that are not strings are skipped, because other rules
 * report them
 * @param field name of the field
 * @returns indexes of the later items, in ascending order
 */
export function repeats(items: readonly unknown[], field: string): number[] {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [index, item] of items.entries()) {
    const value: unknown = isObject(item) && Object.hasOwn(item, field) ? item[field] : undefined;
    if (typeof value !== 'string') continue;
    if (seen.has(value)) repeated.push(index);
    seen.add(value);
  }
  return repeated;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
