import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { BackgroundJob } from '../common/background-job.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { EvidenceRepository } from './evidence.repository.js';

const INTERVAL_MS = 3_600_000;
/** Between two batches, so that requests come first. */
const PAUSE_MS = 100;

/**
 * Removes evidence of views that is older than RETENTION_VIEWS_DAYS.
 *
 * Source: choice O6.
 */
@Injectable()
export class EvidenceRetentionJob implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('retention');
  private readonly job = new BackgroundJob({
    intervalMs: INTERVAL_MS,
    run: (signal) => this.run(signal),
    onFailure: (err) => {
      this.logger.warn({ msg: 'could not remove views', err });
    },
  });

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: EvidenceRepository,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  onApplicationBootstrap(): void {
    this.job.start(0);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.job.stop();
  }

  private async run(signal: AbortSignal): Promise<void> {
    const days = this.environment.RETENTION_VIEWS_DAYS;
    while (!signal.aborted) {
      const count = await this.work.single((tx) => this.repository.removeOld(tx, days));
      if (count === 0) return;
      this.logger.log({ msg: 'removed views', count });
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
