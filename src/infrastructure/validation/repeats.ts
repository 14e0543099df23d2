/**
 * Which items of a list have the same values as an earlier one in the fields that identify them.
 *
 * @param items a list of a payload; items that are no objects, and values that are no text, are other errors' business
 * @param fields their names
 * @returns indexes of the later ones, in their order
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
