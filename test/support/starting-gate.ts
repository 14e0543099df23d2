import type { TestServiceParts } from './service.js';

/** Lets requests that have arrived in a service continue together, in one iteration of its event loop. */
export class StartingGate {
  private expected = 0;
  private arrived: (() => void)[] = [];

  /** Parts of a service that is about to start. */
  readonly parts: TestServiceParts = {
    beforeListening: (app) => {
      const instance = app.getHttpAdapter().getInstance();
      instance.addHook('preHandler', (_request, _reply, done) => {
        this.arrive(done);
      });
    },
  };

  /** The next so many requests wait for each other. */
  expect(count: number): void {
    this.expected = count;
  }

  private arrive(goOn: () => void): void {
    this.arrived.push(goOn);
    if (this.arrived.length < this.expected) return;
    const together = this.arrived;
    this.arrived = [];
    this.expected = 0;
    for (const one of together) one();
  }
}
