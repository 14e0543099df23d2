import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../../infrastructure/audit/audit.module.js';
import { EvidenceModule } from '../../../infrastructure/audit/evidence/evidence.module.js';
import { ConsoleSession } from './console-session.entity.js';
import { SessionsService } from './sessions.service.js';

/** Sessions, for the pages and the operator commands. */
@Module({
  imports: [AuditModule, EvidenceModule, TypeOrmModule.forFeature([ConsoleSession])],
  providers: [SessionsService],
  exports: [SessionsService],
})
export class SessionsModule {}
