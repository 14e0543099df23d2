import { isNodeAway, isUnreachable } from '../../errors/sql-state.js';

/** How long nothing is sent to a node after it was unreachable. */
const PAUSE_MS = 2_000;

/** A node that is unreachable. */
interface Outage {
  readonly error: unknown;
  readonly untilMs: number;
  /** The first query after the pause, which shows whether the node is available again. */
  trial: Promise<unknown> | undefined;
}

/**
 * Keeps queries away from a Citus node that is unreachable. Each of them would wait for a connection that cannot be made, and
 * queries through the coordinator would hold one of its connections meanwhile.
 *
 * After a query failed because the node is unavailable, other queries fail at once with the same error. Every two seconds one
 * query is tried. Queries that arrive meanwhile wait for its outcome without a connection.
 */
export class NodeCircuitBreaker {
  private outage: Outage | undefined;

  /** @param work a query about a supplier on the node */
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
