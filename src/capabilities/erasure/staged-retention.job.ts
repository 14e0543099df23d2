import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../../infrastructure/config/config.module.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { RetentionJob } from '../../infrastructure/jobs/retention-job.js';
import { UnitOfWork, type Tx } from '../../infrastructure/database/unit-of-work.js';
import { StagedRetentionRepository } from './staged-retention.repository.js';

/**
 * Removes an account's staged object RETENTION_STAGED_DAYS after the account was imported. The account itself stays.
 *
 * Source: choice S10.
 */
@Injectable()
export class StagedRetentionJob extends RetentionJob {
  protected readonly what = 'staged objects of imported accounts';

  constructor(
    work: UnitOfWork,
    private readonly repository: StagedRetentionRepository,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    super(work);
  }

  protected async removeBatch(tx: Tx, importSupplierId: number): Promise<number> {
    const days = this.environment.RETENTION_STAGED_DAYS;
    return days === undefined ? 0 : this.repository.remove(tx, importSupplierId, days);
  }
}
