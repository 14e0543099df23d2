import { Module } from '@nestjs/common';
import { AuditModule } from '../../infrastructure/audit/audit.module.js';
import { OrganisationsModule } from '../../auth/organisations.module.js';
import { SentRequestsModule } from '../request-log/requests/sent-requests.module.js';
import { ImportSuppliersModule } from '../../import-suppliers/import-suppliers.module.js';
import { ImportRequestsService } from './import-requests.service.js';
import { UndoRepository } from './undo.repository.js';
import { UndoService } from './undo.service.js';

/** Lets operators list import requests and remove what they have stored. */
@Module({
  imports: [AuditModule, ImportSuppliersModule, OrganisationsModule, SentRequestsModule],
  providers: [ImportRequestsService, UndoService, UndoRepository],
  exports: [ImportRequestsService, UndoService],
})
export class UndoModule {}
