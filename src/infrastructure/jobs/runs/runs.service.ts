import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from '../background-job.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RunsRepository, type RunKey } from './runs.repository.js';
import type { Run, RunName, RunningRun } from './runs.types.js';

/** How often a run reports that it is alive. */
const HEARTBEAT_INTERVAL_MS = 10_000;

/**
 * Runs work for suppliers in the background, because it may take long. The service process that is asked for a run carries it
 * out, one run of a kind and supplier at a time. The progress is in the database, so every process can show it. When the process
 * shuts down, the run ends early. A later run can do the remaining work.
 */
@Injectable()
export class RunsService implements OnApplicationShutdown {
  private readonly logger = new Logger('runs');
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RunsRepository,
  ) {}

  /**
   * Start a run in the background.
   *
   * @param name with the code of a supplier that exists
   * @param carryOut the work
   * @returns false if a run of the same name is under way in any process; then nothing is started
   * Source: choices C9, F5.
   */
  async begin(name: RunName, carryOut: (run: RunningRun) => Promise<unknown>): Promise<boolean> {
    const key = { ...name, id: randomUUID() };
    if (!(await this.work.query((tx) => this.repository.begin(tx, key)))) return false;
    const run = this.carryOut(key, carryOut).finally(() => this.running.delete(run));
    this.running.add(run);
    return true;
  }

  /** The run of this name that is under way or ended within the last hour. */
  find(name: RunName): Promise<Run | undefined> {
    return this.work.query((tx) => this.repository.find(tx, name));
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  /** Never rejects. */
  private async carryOut(key: RunKey, carryOut: (run: RunningRun) => Promise<unknown>): Promise<void> {
    const { signal: interrupted } = this.stopping;
    const { work, repository } = this;
    const heartbeat = new BackgroundJob({
      intervalMs: HEARTBEAT_INTERVAL_MS,
      run: () => work.query((tx) => repository.advance(tx, key, 0)),
      onFailure: (err) => {
        this.logger.warn({ msg: 'it could not be said that a run is under way', err });
      },
    });
    heartbeat.start();
    try {
      await carryOut({
        interrupted,
        expect: (count) => work.query((tx) => repository.advance(tx, key, 0, count)),
        advance: (tx, count) => repository.advance(tx, key, count),
      });
      const outcome = interrupted.aborted ? 'interrupted' : 'complete';
      await work.query((tx) => repository.end(tx, key, outcome));
    } catch (err) {
      this.logger.error({ msg: 'a run in the background has failed', kind: key.kind, err });
      await Promise.allSettled([work.query((tx) => repository.end(tx, key, 'failed'))]);
    } finally {
      await heartbeat.stop();
    }
  }
}
