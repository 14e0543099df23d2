/** `1,000`, or `more than 1,000`. @param max the count goes up to this number and one more */
export function boundedText(count: number, max = Infinity): string {
  return `${count > max ? 'more than ' : ''}${Math.min(count, max).toLocaleString('en')}`;
}

/** `1 account`, `more than 1,000 accounts` */
export function countedBounded(count: number, max: number, one: string, several = `${one}s`): string {
  return `${boundedText(count, max)} ${count === 1 ? one : several}`;
}
