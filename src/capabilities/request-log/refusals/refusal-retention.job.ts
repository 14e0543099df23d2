import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { RetentionJob } from '../../../infrastructure/jobs/retention-job.js';
import { UnitOfWork, type Tx } from '../../../infrastructure/database/unit-of-work.js';
import { RefusalsRepository } from './refusals.repository.js';

/**
 * Removes recorded refusals that are older than RETENTION_REFUSALS_DAYS, or not among the newest 100,000 of their
 * organisation at a supplier.
 *
 * Source: choice O6.
 */
@Injectable()
export class RefusalRetentionJob extends RetentionJob {
  protected readonly subject = 'refusals';

  constructor(
    work: UnitOfWork,
    private readonly repository: RefusalsRepository,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    super(work);
  }

  protected removeBatch(tx: Tx, importSupplierId: number): Promise<number> {
    return this.repository.remove(tx, importSupplierId, this.environment.RETENTION_REFUSALS_DAYS);
  }
}
