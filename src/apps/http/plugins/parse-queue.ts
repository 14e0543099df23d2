/** Smaller bodies are parsed and validated in less than a millisecond and need no queue. */
export const QUEUED_BYTES_MIN = 32_768;

/**
 * Limits parsing and validation of large bodies to half of the event loop's time: after each body, the loop is left to other requests
 * for as long as that body took. Otherwise many bodies that complete at the same time would follow one another. Any other request takes
 * several iterations of the loop and would wait for a body in each of them.
 */
export class ParseQueue {
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;

  /** @param now a monotonic time in milliseconds */
  constructor(private readonly now = () => performance.now()) {}

  /** @param parse called at once when no other body is being parsed and the pause after the last one is over */
  enqueue(parse: () => void): void {
    if (this.isBusy) this.waiting.push(parse);
    else this.run(parse);
  }

  private run(parse: () => void): void {
    this.isBusy = true;
    const startedAt = this.now();
    // The measured time includes the work that follows parsing in this iteration.
    setImmediate(() => setTimeout(this.next, this.now() - startedAt));
    parse();
  }

  private readonly next = (): void => {
    const parse = this.waiting.shift();
    if (parse) this.run(parse);
    else this.isBusy = false;
  };
}
