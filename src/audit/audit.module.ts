import { Module } from '@nestjs/common';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

/** The record of operator changes, for the modules whose services make them. */
@Module({ providers: [AuditService, AuditRepository], exports: [AuditService] })
export class AuditModule {}
