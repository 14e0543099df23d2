/** Values of a record whose members are not known in advance. */
export type Members = Readonly<Record<string, unknown>>;

/** A value as it is, or as JSON. */
export function shown(value: unknown): string {
  const known = value ?? 'none';
  return typeof known === 'string' ? known : JSON.stringify(known);
}

/** Changed values: each name with the value before and after. @param shown how a value is written */
export function changesOf(
  { from, to }: Members,
  shown: (value: unknown) => string,
): (readonly [string, string])[] {
  const before = (from ?? {}) as Members;
  return Object.entries((to ?? {}) as Members).map(
    ([name, value]) => [name, `${shown(before[name])} → ${shown(value)}`] as const,
  );
}
