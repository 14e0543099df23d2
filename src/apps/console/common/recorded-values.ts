/** Values of a record whose members are not known in advance. */
export type Members = Readonly<Record<string, unknown>>;

/** A value as it is, or as JSON. */
export function valueText(value: unknown): string {
  const known = value ?? 'none';
  return typeof known === 'string' ? known : JSON.stringify(known);
}

/** Changed values: each name with the value before and after. @param textOf how a value is written */
export function changesOf(
  { from, to }: Members,
  textOf: (value: unknown) => string,
): (readonly [string, string])[] {
  const before = (from ?? {}) as Members;
  return Object.entries((to ?? {}) as Members).map(
    ([name, value]) => [name, `${textOf(before[name])} → ${textOf(value)}`] as const,
  );
}
