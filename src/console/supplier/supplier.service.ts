import { Inject, Injectable } from '@nestjs/common';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import { PageNotFound } from '../common/page-errors.js';
import { attention } from '../progress/attention.js';
import { ProgressService } from '../progress/progress.service.js';
import type { Span } from '../progress/progress.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import type { SupplierSummary } from './supplier.types.js';

/** Whether the migration of a supplier is on track, and what is stuck. */
@Injectable()
export class SupplierService {
  constructor(
    private readonly viewed: ViewedSuppliersService,
    private readonly progress: ProgressService,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'DOCS'>,
  ) {}

  /**
   * What the summary of a supplier shows.
   *
   * @throws PageNotFound
   * Source: choices C2, C3.
   */
  async summary(viewer: Viewer, code: string, span: Span): Promise<SupplierSummary> {
    const supplier = await this.viewed.find(viewer, code);
    const { now, suppliers, history } = await this.progress.of([supplier], span);
    const [progress] = suppliers;
    // It was removed meanwhile.
    if (!progress) throw new PageNotFound();
    return {
      viewer: viewer.kind,
      hasDocs: this.environment.DOCS === 'on',
      ...{ now, history, progress },
      attention: attention(now, [progress], []),
    };
  }
}
