import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { BackgroundJob } from '../background-job.js';
import { run } from '../../database/query.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { ADVANCE, BEGIN, END, FIND } from './runs.queries.js';
import type { Run, RunName, RunningRun, RunOutcome } from './runs.types.js';

/** The key of one run among those of the same name. */
interface RunKey extends RunName {
  readonly id: string;
}

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

  constructor(private readonly work: UnitOfWork) {}

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
    const begun = await this.work.query((tx) => run(tx, BEGIN, key));
    if (begun.length === 0) return false;
    const running = this.carryOut(key, carryOut).finally(() => this.running.delete(running));
    this.running.add(running);
    return true;
  }

  /** The run of this name that is under way or ended within the last hour. */
  async find({ import_supplier, kind }: RunName): Promise<Run | undefined> {
    const [found] = await this.work.query((tx) => run(tx, FIND, { import_supplier, kind }));
    return found;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
  }

  /** Never rejects. */
  private async carryOut(key: RunKey, carryOut: (run: RunningRun) => Promise<unknown>): Promise<void> {
    const { signal: interrupted } = this.stopping;
    const { work } = this;
    const advance = async (tx: Tx, count: number, expected: number | null = null): Promise<void> => {
      await run(tx, ADVANCE, { ...key, count, expected });
    };
    const end = (outcome: RunOutcome): Promise<unknown> =>
      work.query((tx) => run(tx, END, { ...key, outcome }));
    const heartbeat = new BackgroundJob({
      intervalMs: HEARTBEAT_INTERVAL_MS,
      run: () => work.query((tx) => advance(tx, 0)),
      onFailure: (err) => {
        this.logger.warn({ msg: 'it could not be said that a run is under way', err });
      },
    });
    heartbeat.start();
    try {
      await carryOut({
        interrupted,
        expect: (count) => work.query((tx) => advance(tx, 0, count)),
        advance,
      });
      await end(interrupted.aborted ? 'interrupted' : 'complete');
    } catch (err) {
      this.logger.error({ msg: 'a run in the background has failed', kind: key.kind, err });
      await Promise.allSettled([end('failed')]);
    } finally {
      await heartbeat.stop();
    }
  }
}
