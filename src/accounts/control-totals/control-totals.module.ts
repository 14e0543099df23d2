import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { SetControlsService } from './set-controls.service.js';

/** Control totals: the number of items and the sum of amounts that an account must have. */
@Module({
  imports: [AuditModule, ImportSuppliersModule],
  providers: [SetControlsService],
  exports: [SetControlsService],
})
export class ControlTotalsModule {}
