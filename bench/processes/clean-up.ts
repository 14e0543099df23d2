/** Clean-up steps, run in reverse order of registration. */
export class CleanUp {
  private readonly steps: (() => Promise<void>)[] = [];

  constructor(private readonly log: (sentence: string) => void) {}

  defer(step: () => Promise<void>): void {
    this.steps.unshift(step);
  }

  async run(): Promise<void> {
    for (const step of this.steps.splice(0)) {
      // A failed step does not prevent the others.
      await step().catch((error: unknown) => {
        this.log(`A clean-up step failed: ${(error as Error).message}`);
      });
    }
  }
}
