/**
 * The paths at which two items differ, in the order of the field names. A path is the name of a field, or for a list
 * `tax_items.0.rate`.
 *
 * @param one the JSON text of an object
 * @param other the same; numbers of both have at most 15 digits
 * Source: choice V9.
 */
export function differingFields(one: string, other: string): string[] {
  const paths: string[] = [];
  collect(JSON.parse(one), JSON.parse(other), '', paths);
  return paths;
}

function collect(one: unknown, other: unknown, path: string, paths: string[]): void {
  if (isComposed(one) && isComposed(other) && Array.isArray(one) === Array.isArray(other)) {
    const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    if (!Array.isArray(one)) names.sort();
    for (const name of names) {
      collect(own(one, name), own(other, name), path === '' ? name : `${path}.${name}`, paths);
    }
  } else if (one !== other) paths.push(path);
}

function isComposed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function own(value: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
