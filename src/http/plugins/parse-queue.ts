/** Smaller bodies are parsed and validated in less than a millisecond, and need not be queued. */
export const QUEUED_BYTES_MIN = 32_768;

/**
 * Lets one large body be parsed, and what follows be validated, in each iteration of the event loop. Many that are complete
 * at the same time would otherwise be handled in one iteration, and every other request would wait for all of them.
 */
export class ParseQueue {
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;

  /** @param parse called at once when no other body was parsed in this iteration */
  enqueue(parse: () => void): void {
    if (this.isBusy) this.waiting.push(parse);
    else this.run(parse);
  }

  private run(parse: () => void): void {
    this.isBusy = true;
    setImmediate(() => {
      const next = this.waiting.shift();
      if (next) this.run(next);
      else this.isBusy = false;
    });
    parse();
  }
}
