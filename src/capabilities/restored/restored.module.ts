import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { BackupService } from './backup.service.js';
import { RestoredService } from './restored.service.js';

/** Copies the embedded PostgreSQL, and ends what must not survive a move or restore of the database (choice O5). */
@Module({
  imports: [AuditModule, ChangesModule],
  providers: [BackupService, RestoredService],
  exports: [BackupService, RestoredService],
})
export class RestoredModule {}
