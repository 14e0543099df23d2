/** Smaller bodies are parsed and validated in less than a millisecond. */
const TURN_BYTES_MIN = 32_768;

/**
 * Lets one large body be parsed, and what follows be validated, in each iteration of the event loop. Many that are complete
 * at the same time would otherwise be handled in one iteration, and every other request would wait for all of them.
 */
export class ParseTurns {
  private readonly waiting: (() => void)[] = [];
  private isTaken = false;

  /** @param parse called at once when the body is small or no other one was parsed in this iteration */
  take(bytes: number, parse: () => void): void {
    if (bytes < TURN_BYTES_MIN) {
      parse();
    } else if (this.isTaken) {
      this.waiting.push(parse);
    } else {
      this.run(parse);
    }
  }

  private run(parse: () => void): void {
    this.isTaken = true;
    setImmediate(() => {
      const next = this.waiting.shift();
      if (next) this.run(next);
      else this.isTaken = false;
    });
    parse();
  }
}
