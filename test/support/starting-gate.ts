import type { TestServiceParts } from './service.js';

/** Holds requests in a service and releases them together, in one iteration of its event loop. */
export class StartingGate {
  private expected = 0;
  private arrived: (() => void)[] = [];

  /** Parts to pass to `startService`. */
  readonly parts: TestServiceParts = {
    beforeListening: (app) => {
      const instance = app.getHttpAdapter().getInstance();
      instance.addHook('preHandler', (_request, _reply, done) => {
        this.arrive(done);
      });
    },
  };

  /** Make the next `count` requests wait for each other. */
  expect(count: number): void {
    this.expected = count;
  }

  private arrive(release: () => void): void {
    this.arrived.push(release);
    if (this.arrived.length < this.expected) return;
    const together = this.arrived;
    this.arrived = [];
    this.expected = 0;
    for (const release of together) release();
  }
}
