import { Module } from '@nestjs/common';
import { DocumentStoreModule } from './document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { NotesModule } from '../notes/notes.module.js';
import { StatementsModule } from '../statements/statements.module.js';
import { DocumentsService } from './documents.service.js';

/** The documents that notes and statements refer to. */
@Module({
  imports: [DocumentStoreModule, ImportSuppliersModule, NotesModule, StatementsModule],
  providers: [DocumentsService],
})
export class DocumentsModule {}
