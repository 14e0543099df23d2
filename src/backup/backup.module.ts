import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { ChangesModule } from '../changes/changes.module.js';
import { BackupService } from './backup.service.js';
import { RestoreRepository } from './restore.repository.js';
import { RestoreService } from './restore.service.js';

/** Backing up and restoring the embedded PostgreSQL with what belongs to it. */
@Module({
  imports: [AuditModule, ChangesModule],
  providers: [BackupService, RestoreService, RestoreRepository],
})
export class BackupModule {}
