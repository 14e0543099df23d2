import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../auth/organisations.module.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { DOCUMENT_BUCKET, documentBucket, documentStoreAddress } from '../documents/document-location.js';
import { DocumentLookup } from '../documents/document-lookup.js';
import { DocumentStore } from '../documents/document-store.js';
import { ImportSuppliersRepository } from './import-suppliers.repository.js';
import { ImportSuppliersService } from './import-suppliers.service.js';
import { documentStoreAt } from '../documents/open-document-store.js';

@Module({
  imports: [OrganisationsModule],
  providers: [
    ImportSuppliersService,
    ImportSuppliersRepository,
    DocumentLookup,
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
  exports: [DOCUMENT_BUCKET, DocumentLookup, ImportSuppliersService],
})
export class ImportSuppliersModule {}
