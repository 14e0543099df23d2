/** What must be ended, the latest first. */
export class CleanUp {
  private readonly steps: (() => Promise<void>)[] = [];

  constructor(private readonly say: (sentence: string) => void) {}

  later(step: () => Promise<void>): void {
    this.steps.unshift(step);
  }

  async now(): Promise<void> {
    for (const step of this.steps.splice(0)) {
      // One that fails must not keep the others running.
      await step().catch((error: unknown) => {
        this.say(`Something could not be ended: ${(error as Error).message}`);
      });
    }
  }
}
