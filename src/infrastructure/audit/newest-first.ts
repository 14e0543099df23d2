/** Anything with a time. */
interface Happened {
  readonly at: Date;
}

/** Merges two lists. Each is read only as far as needed. @param one newest first @param other newest first */
export async function* newestFirst<T extends Happened>(
  one: AsyncGenerator<T>,
  other: AsyncGenerator<T>,
): AsyncGenerator<T> {
  try {
    let [first, second] = await Promise.all([one.next(), other.next()]);
    while (first.done !== true || second.done !== true) {
      if (second.done === true || (first.done !== true && first.value.at >= second.value.at)) {
        yield first.value as T;
        first = await one.next();
      } else {
        yield second.value;
        second = await other.next();
      }
    }
  } finally {
    await Promise.all([one.return(undefined), other.return(undefined)]);
  }
}
