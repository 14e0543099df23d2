import { Injectable } from '@nestjs/common';
import { ImportProgressService } from '../../totals/import-progress.service.js';
import type { ImportProgress } from '../../totals/import-progress.types.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import { judge, type Judged } from '../../conditions/conditions.js';
import { cutOverOf, type CutOver } from '../../conditions/cut-over.js';
import { ConditionsService } from '../../conditions/conditions.service.js';
import { nextSteps, type NextStep } from '../../conditions/next-step.js';

/** How far a migration is, its conditions, and what to do next. */
export interface MigrationStatus extends ImportProgress {
  readonly judged: Judged;
  readonly next: NextStep;
  readonly cutOver: CutOver | undefined;
}

/** Tells operators how far a migration is, and what to do next. */
@Injectable()
export class MigrationStatusService {
  constructor(
    private readonly progress: ImportProgressService,
    private readonly conditions: ConditionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws CommandError `supplier_not_found`
   * Source: choices, section 6 (`migration status`), C12.
   */
  async status(code: string): Promise<MigrationStatus> {
    const progress = await this.progress.supplier(code);
    const facts = await this.conditions.ofCode(code);
    const judged = judge(facts, this.clock.now());
    return {
      ...progress,
      ...{ judged, next: nextSteps({ ...facts, ...judged })[0] },
      cutOver: cutOverOf(facts, this.clock.today()),
    };
  }
}
