/** Something that happened, with an id that orders what happened at the same time. */
interface Happened {
  readonly at: Date;
  readonly id: string;
}

/**
 * The newest of two lists, newest first.
 *
 * @param countMax so many at most
 */
export function newestOf<T extends Happened>(one: readonly T[], other: readonly T[], countMax: number): T[] {
  return [...one, ...other].sort(newestFirst).slice(0, countMax);
}

function newestFirst(one: Happened, other: Happened): number {
  return other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1);
}
