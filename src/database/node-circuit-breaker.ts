import { isNodeAway } from '../common/sql-state.js';

/** How long nothing is sent to a node after it could not be reached. */
const PAUSE_MS = 2_000;

/** A supplier whose node could not be reached. */
interface Outage {
  readonly error: unknown;
  readonly untilMs: number;
  /** The first query after the pause, which shows whether the node is back. */
  trial: Promise<unknown> | undefined;
}

/**
 * Keeps queries from a node of a Citus cluster that cannot be reached. Each of them would hold a connection of the process until
 * the coordinator gives up, and so the suppliers on other nodes would wait for a connection.
 *
 * After a query of a supplier failed because its node is away, others fail at once with the same error. Every two seconds one is
 * tried, and those that come meanwhile wait for it, without a connection.
 *
 * It never refuses anything on a single node, whose errors are others.
 */
export class NodeCircuitBreaker {
  /** By supplier; which of them are on the same node is not known here. */
  private readonly outages = new Map<number, Outage>();

  /** @param work a query of the supplier */
  async run<T>(importSupplierId: number, work: () => Promise<T>): Promise<T> {
    const outage = this.outages.get(importSupplierId);
    if (!outage) return this.attempt(importSupplierId, work);
    if (performance.now() < outage.untilMs) throw outage.error;
    if (!outage.trial) {
      const trial = this.attempt(importSupplierId, work);
      outage.trial = trial;
      return trial;
    }
    await outage.trial.catch(() => undefined);
    return this.run(importSupplierId, work);
  }

  private async attempt<T>(importSupplierId: number, work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      this.outages.delete(importSupplierId);
      return answer;
    } catch (error) {
      if (isNodeAway(error)) {
        this.outages.set(importSupplierId, {
          error,
          untilMs: performance.now() + PAUSE_MS,
          trial: undefined,
        });
      } else {
        this.outages.delete(importSupplierId);
      }
      throw error;
    }
  }
}
