/** Smaller bodies are parsed and validated in less than a millisecond, and need not be queued. */
export const QUEUED_BYTES_MIN = 32_768;

/**
 * Lets large bodies be parsed, and what follows be validated, in half of the event loop's time: after each of them the loop is left to
 * all other requests for as long as it took. Many that are complete at the same time would otherwise follow one another, and another
 * request, which takes several iterations of the loop, would wait for one of them in each.
 */
export class ParseQueue {
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;

  /** @param now a monotonic time in milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  /** @param parse called at once when no other body is being parsed, and the pause after the last one is over */
  enqueue(parse: () => void): void {
    if (this.isBusy) this.waiting.push(parse);
    else this.run(parse);
  }

  private run(parse: () => void): void {
    this.isBusy = true;
    const startedAt = this.now();
    // The time includes what follows the parsing in this iteration.
    setImmediate(() => setTimeout(this.next, this.now() - startedAt));
    parse();
  }

  private readonly next = (): void => {
    const parse = this.waiting.shift();
    if (parse) this.run(parse);
    else this.isBusy = false;
  };
}
