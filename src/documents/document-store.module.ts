import { Module } from '@nestjs/common';
import { ENVIRONMENT, type Environment } from '../infrastructure/config/settings.js';
import { DOCUMENT_BUCKET, documentBucket, documentStoreAddress } from './document-location.js';
import { DocumentLookup } from './document-lookup.js';
import { DocumentReader } from './document-reader.js';
import { DocumentStore } from './document-store.js';
import { documentStoreAt } from './open-document-store.js';

/** The production file storage with the suppliers' documents. */
@Module({
  providers: [
    DocumentLookup,
    DocumentReader,
    {
      provide: DOCUMENT_BUCKET,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => documentBucket(documentStoreAddress(environment)),
    },
    {
      provide: DocumentStore,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => documentStoreAt(documentStoreAddress(environment)),
    },
  ],
  exports: [DOCUMENT_BUCKET, DocumentLookup, DocumentReader],
})
export class DocumentStoreModule {}
