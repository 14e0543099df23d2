/**
 * The beginning of a key's id, with the time at which the key was issued, to the millisecond. A shorter beginning is the same for
 * all keys of a minute.
 */
export function shortId(id: string): string {
  return id.slice(0, 13);
}

/** Keys with the beginnings of their ids in the labels that several of them have. */
export function withDistinctLabels<Key extends { readonly id: string; readonly label: string }>(
  keys: readonly Key[],
): Key[] {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { label } of keys) (seen.has(label) ? repeated : seen).add(label);
  return keys.map((key) =>
    repeated.has(key.label) ? { ...key, label: `${key.label} (${shortId(key.id)})` } : key,
  );
}
