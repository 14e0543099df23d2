/**
 * Find the items of a list that repeat the values of an earlier item in the fields that identify it.
 *
 * @param items a list of a payload; items that are not objects and values that are not strings are skipped, because other rules
 * report them
 * @param fields their names
 * @returns indexes of the later items, in ascending order
 */
export function repeats(items: readonly unknown[], fields: readonly string[]): number[] {
  const seen = new Set<string>();
  const repeated: number[] = [];
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) continue;
    const values = fields.map((field) => (Object.hasOwn(item, field) ? item[field] : undefined));
    if (!values.every((value) => typeof value === 'string')) continue;
    // No identifier contains it.
    const value = values.join('\0');
    if (seen.has(value)) repeated.push(index);
    seen.add(value);
  }
  return repeated;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
