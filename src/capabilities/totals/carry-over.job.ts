import { Injectable, Logger } from '@nestjs/common';
import { SupplierJob } from '../../infrastructure/jobs/supplier-job.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { TotalsService } from './totals.service.js';

/** Carries stored and removed rows over to the totals. Only one process works on a supplier at a time. */
@Injectable()
export class CarryOverJob extends SupplierJob {
  protected override readonly logger = new Logger('totals');
  protected override readonly failure = 'could not carry changes over to the totals';
  protected override readonly intervalMs = 5_000;

  constructor(
    work: UnitOfWork,
    private readonly totals: TotalsService,
  ) {
    super(work);
  }

  protected override step(importSupplierId: number): Promise<boolean> {
    return this.totals.carryOverSome(importSupplierId, false);
  }
}
