import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { ChangesModule } from '../../infrastructure/change-log/changes.module.js';
import { BackupService } from './backup.service.js';
import { RestoredRepository } from './restored.repository.js';
import { RestoredService } from './restored.service.js';

/** Copies of the embedded PostgreSQL, and what ends when a database was moved or restored (choice O5). */
@Module({
  imports: [AuditModule, ChangesModule],
  providers: [BackupService, RestoredService, RestoredRepository],
  exports: [BackupService, RestoredService],
})
export class RestoredModule {}
