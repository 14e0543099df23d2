import { Injectable } from '@nestjs/common';
import { RunsService } from '../runs/runs.service.js';
import type { RunName } from '../runs/runs.types.js';
import type { RetryRun } from './retry-runs.types.js';
import { RetryService } from './retry.service.js';

const retryOf = (code: string): RunName => ({ importSupplier: code, kind: 'retry' });

/**
 * Retries of failed accounts that nobody waits for: a cause may have a million of them. At the end of the process a retry ends after its
 * batch; what it has left is still failed, and a further retry puts it back.
 */
@Injectable()
export class RetryRunsService {
  constructor(
    private readonly runs: RunsService,
    private readonly retries: RetryService,
  ) {}

  /**
   * Begin to put the failed accounts of a cause back to pending.
   *
   * @param code of a supplier that exists
   * @param operator the name that is recorded
   * @returns false when a run of the supplier is under way; then nothing is begun
   * Source: choice C9.
   */
  begin(code: string, cause: string, operator: string): Promise<boolean> {
    return this.runs.begin(retryOf(code), ({ interrupted, advance: onBatch }) =>
      this.retries.retry(code, { cause }, { operator, interrupted, onBatch }),
    );
  }

  /** The run of a supplier that is under way, or has ended within an hour. */
  async find(code: string): Promise<RetryRun | undefined> {
    const run = await this.runs.find(retryOf(code));
    return run && { startedAt: run.startedAt, outcome: run.outcome, pending: run.done };
  }
}
