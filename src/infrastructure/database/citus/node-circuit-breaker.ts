import { isNodeAway, isUnreachable } from '../../errors/sql-state.js';

/** How long nothing is sent to a node after it could not be reached. */
const PAUSE_MS = 2_000;

/** A node that could not be reached. */
interface Outage {
  readonly error: unknown;
  readonly untilMs: number;
  /** The first query after the pause, which shows whether the node is back. */
  trial: Promise<unknown> | undefined;
}

/**
 * Keeps queries from a node of a Citus cluster that cannot be reached. Each of them would wait for a connection that cannot be made,
 * and those through the coordinator would hold one of its connections meanwhile.
 *
 * After a query failed because the node is away, others fail at once with the same error. Every two seconds one is
 * tried, and those that come meanwhile wait for it, without a connection.
 */
export class NodeCircuitBreaker {
  private outage: Outage | undefined;

  /** @param work a query of a supplier of the node */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { outage } = this;
    if (!outage) return this.attempt(work);
    if (performance.now() < outage.untilMs) throw outage.error;
    if (!outage.trial) {
      const trial = this.attempt(work);
      outage.trial = trial;
      return trial;
    }
    await outage.trial.catch(() => undefined);
    return this.run(work);
  }

  private async attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      const answer = await work();
      this.outage = undefined;
      return answer;
    } catch (error) {
      const isAway = isNodeAway(error) || isUnreachable(error);
      this.outage = isAway ? { error, untilMs: performance.now() + PAUSE_MS, trial: undefined } : undefined;
      throw error;
    }
  }
}
