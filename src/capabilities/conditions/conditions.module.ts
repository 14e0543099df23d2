import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../../auth/organisations.module.js';
import { registerMetrics } from '../../infrastructure/metrics/metrics.registry.js';
import { TotalsModule } from '../totals/totals.module.js';
import { conditionMetrics } from './condition-metrics.js';
import { ConditionReadings } from './condition-readings.js';
import { ConditionsService } from './conditions.service.js';

/** The conditions of suppliers, for the pages, the commands and the metrics. */
@Module({
  imports: [OrganisationsModule, TotalsModule],
  providers: [ConditionsService, ConditionReadings, registerMetrics(conditionMetrics, ConditionReadings)],
  exports: [ConditionsService],
})
export class ConditionsModule {}
