import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ClusterService } from './cluster.service.js';
import { DistributionService } from './distribution.service.js';

/** Distributes the tables over the nodes of a Citus cluster, and shows these nodes. */
@Module({
  imports: [AuditModule],
  providers: [DistributionService, ClusterService],
  exports: [DistributionService, ClusterService],
})
export class DistributionModule {}
