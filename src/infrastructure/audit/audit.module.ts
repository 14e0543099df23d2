import { Module } from '@nestjs/common';
import { EvidenceModule } from './evidence/evidence.module.js';
import { AuditService } from './audit.service.js';

/** The audit log of operator changes, for the modules whose services make them. */
@Module({ imports: [EvidenceModule], providers: [AuditService], exports: [AuditService] })
export class AuditModule {}
