import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../../config/settings.js';
import { RetentionJob } from '../../jobs/retention-job.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import { EvidenceService } from './evidence.service.js';

/**
 * Removes evidence of views that is older than RETENTION_VIEWS_DAYS.
 *
 * Source: choice O6.
 */
@Injectable()
export class EvidenceRetentionJob extends RetentionJob {
  protected readonly subject = 'views';

  constructor(
    work: UnitOfWork,
    private readonly evidence: EvidenceService,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    super(work);
  }

  /** One removal covers all suppliers, because a sign-in belongs to none. */
  protected override supplierIds(): Promise<readonly number[]> {
    return Promise.resolve([0]);
  }

  protected removeBatch(tx: Tx): Promise<number> {
    return this.evidence.removeOld(tx, this.environment.RETENTION_VIEWS_DAYS);
  }
}
