/** Steps that end what was started, run in the reverse order of their registration. */
export class CleanUp {
  private readonly steps: (() => Promise<void>)[] = [];

  constructor(private readonly log: (sentence: string) => void) {}

  defer(step: () => Promise<void>): void {
    this.steps.unshift(step);
  }

  async run(): Promise<void> {
    for (const step of this.steps.splice(0)) {
      // A step that fails does not prevent the others.
      await step().catch((error: unknown) => {
        this.log(`A clean-up step failed: ${(error as Error).message}`);
      });
    }
  }
}
