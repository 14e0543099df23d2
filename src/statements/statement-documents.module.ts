import { Module } from '@nestjs/common';
import { DocumentReferrersModule } from '../documents/document-referrers.module.js';
import { StatementDocumentsRepository } from './statement-documents.repository.js';

/** What `documents check` needs of historical statements; apart from their interface, which commands do not load. */
@Module({
  imports: [DocumentReferrersModule],
  providers: [StatementDocumentsRepository],
})
export class StatementDocumentsModule {}
