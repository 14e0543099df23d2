import { Module } from '@nestjs/common';
import { DocumentReferrersModule } from '../documents/document-referrers.module.js';
import { NoteDocumentsRepository } from './note-documents.repository.js';

/** What `documents check` needs of notes; apart from their interface, which commands do not load. */
@Module({
  imports: [DocumentReferrersModule],
  providers: [NoteDocumentsRepository],
})
export class NoteDocumentsModule {}
