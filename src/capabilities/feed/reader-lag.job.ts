import { Injectable, Logger } from '@nestjs/common';
import { SupplierJob } from '../../infrastructure/jobs/supplier-job.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { ReadersService } from './readers.service.js';

/** How far the slowest reader of all feeds is behind. */
export interface ReaderLag {
  readonly changes: number;
  readonly seconds: number;
}

/** Measures every few seconds how far the readers of the feeds are behind, for the metrics. Archived suppliers are left out. */
@Injectable()
export class ReaderLagJob extends SupplierJob {
  protected override readonly logger = new Logger('feed');
  protected override readonly failure = 'could not measure how far the readers of the feed are behind';
  protected override readonly intervalMs = 15_000;
  private readonly lags = new Map<number, ReaderLag>();

  constructor(
    work: UnitOfWork,
    private readonly readers: ReadersService,
  ) {
    super(work);
  }

  /** The highest lag of any reader, as last measured. Its values may come from different readers. */
  get lag(): ReaderLag {
    return highest([...this.lags.values()]);
  }

  protected override async supplierIds(): Promise<readonly number[]> {
    const ids = await this.readers.watchedSuppliers();
    for (const id of this.lags.keys()) if (!ids.includes(id)) this.lags.delete(id);
    return ids;
  }

  protected override async step(importSupplierId: number): Promise<boolean> {
    const readers = await this.readers.readers(importSupplierId);
    this.lags.set(
      importSupplierId,
      highest(readers.map(({ lagChanges, lagSeconds }) => ({ changes: lagChanges, seconds: lagSeconds }))),
    );
    return false;
  }
}

function highest(lags: readonly ReaderLag[]): ReaderLag {
  return {
    changes: Math.max(0, ...lags.map(({ changes }) => changes)),
    seconds: Math.max(0, ...lags.map(({ seconds }) => seconds)),
  };
}
