import { randomUUID } from 'node:crypto';
import type { Tx, UnitOfWork } from '../database/unit-of-work.js';
import { insertEntry } from './audit.queries.js';
import type { RunOutcome } from '../jobs/runs/runs.types.js';
import type { OperatorChange } from './audit.types.js';

/**
 * The audit record of a command that makes its change in many transactions, such as one for each batch of a file. One entry for
 * each transaction would bury the other entries, and a single entry at the end would be missing after a crash. So there are two:
 * the first transaction that changes something records that the run has started, and the end of the run records its counts. A run
 * that was killed has only the first entry, so the operator is known in any case.
 *
 * Source: choice O6.
 */
export class AuditRun {
  /** The id of the first entry. Both entries name it. */
  private readonly id = randomUUID();
  private readonly startedAtMs = performance.now();
  private state: 'unrecorded' | 'started' | 'ended' = 'unrecorded';

  constructor(
    private readonly work: UnitOfWork,
    private readonly change: OperatorChange,
  ) {}

  /** Record the start before anything changes, for a run that must be visible even if it changes nothing. */
  async begin(): Promise<void> {
    await this.work.write((tx) => this.start(tx));
    this.state = 'started';
  }

  /**
   * Run one transaction of the run.
   *
   * @param hasChanged tells from the result whether the transaction changed anything
   */
  async write<T>(work: (tx: Tx) => Promise<T>, hasChanged: (result: T) => boolean): Promise<T> {
    const result = await this.work.write(async (tx) => {
      const answer = await work(tx);
      if (this.state === 'unrecorded' && hasChanged(answer)) await this.start(tx);
      return answer;
    });
    if (this.state === 'unrecorded' && hasChanged(result)) this.state = 'started';
    return result;
  }

  /** Record the end and the duration, if anything changed. @param counts what was done, by name */
  async end(outcome: RunOutcome, counts: object): Promise<void> {
    if (this.state !== 'started') return;
    this.state = 'ended';
    const duration_ms = Math.round(performance.now() - this.startedAtMs);
    const details = { run: this.id, event: 'ended', outcome, duration_ms, ...this.change.details, ...counts };
    await this.work.query((tx) => insertEntry(tx, { ...this.change, details }));
  }

  /** Record the end of a run that failed. Never rejects: the run's own error matters more than a failure to record it. */
  async fail(counts: object): Promise<void> {
    await Promise.allSettled([this.end('failed', counts)]);
  }

  /** Concurrent transactions of the run may both try this. Only one of them inserts the entry. */
  private start(tx: Tx): Promise<void> {
    const details = { run: this.id, event: 'started', ...this.change.details };
    return insertEntry(tx, { ...this.change, details }, this.id);
  }
}
