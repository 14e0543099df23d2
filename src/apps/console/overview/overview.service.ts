import { Injectable } from '@nestjs/common';
import { bySeverity, KEY_EXPIRES_MS } from '../../../capabilities/conditions/conditions.js';
import type { ExpiringKey } from '../../../auth/api-keys.queries.js';
import { ApiKeysService } from '../../../auth/api-keys.service.js';
import { ProgressService } from '../progress/progress.service.js';
import type { Progress, Span } from '../progress/progress.types.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import { organisationOf, type SignedInUser } from '../signed-in/signed-in-user.js';

/** The view model of the overview; its suppliers begin with the most severe conditions. */
export interface Overview extends Progress {
  /** Keys that expire soon. */
  readonly keys: readonly ExpiringKey[];
  /** Ordered by code; their progress is not shown. */
  readonly archived: readonly ViewedSupplier[];
}

@Injectable()
export class OverviewService {
  constructor(
    private readonly suppliers: ViewedSuppliersService,
    private readonly progress: ProgressService,
    private readonly keys: ApiKeysService,
  ) {}

  /**
   * The progress of the suppliers that the signed-in user may see and that are not archived, the most severe first, and the keys
   * that expire soon. An admin is told only of keys of the own organisation.
   *
   * Source: choices C2, C3, S11.
   */
  async overview(user: SignedInUser, span: Span): Promise<Overview> {
    const all = await this.suppliers.list(user);
    const suppliers = all.filter(({ archivedAt }) => archivedAt === null);
    const progress = await this.progress.of(user, suppliers, span);
    const { now } = progress;
    const until = new Date(now.getTime() + KEY_EXPIRES_MS);
    return {
      ...progress,
      suppliers: progress.suppliers.toSorted(bySeverity),
      keys: await this.keys.expiring(organisationOf(user), now, until),
      archived: all.filter(({ archivedAt }) => archivedAt !== null),
    };
  }
}
