/** Group values by name. The values of a group keep their order. */
export function grouped<One, Name = string>(
  all: Iterable<One>,
  nameOf: (one: One) => Name,
): Map<Name, One[]> {
  const groups = new Map<Name, One[]>();
  for (const one of all) {
    const name = nameOf(one);
    const same = groups.get(name);
    if (same) same.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}
