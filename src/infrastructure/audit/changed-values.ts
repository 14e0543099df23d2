/** Values before and after a change, by name: the details of an operator change. */
export interface ChangedValues {
  readonly from: object;
  readonly to: object;
}

/**
 * The values that differ.
 *
 * @param before plain values; both objects have the same members
 * @returns undefined if no value differs
 * Source: choice O6.
 */
export function changedValues(before: object, after: object): ChangedValues | undefined {
  const present = new Map<string, unknown>(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => present.get(name) !== value);
  if (changed.length === 0) return undefined;
  return {
    from: Object.fromEntries(changed.map(([name]) => [name, present.get(name)])),
    to: Object.fromEntries(changed),
  };
}
