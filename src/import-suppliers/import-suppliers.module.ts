import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { DOCUMENT_BUCKET, documentBucket, documentStoreAddress } from './document-location.js';
import { DocumentLookup } from './document-lookup.js';
import { DocumentStore } from './document-store.js';
import { GrantedSuppliersRepository } from './granted-suppliers.repository.js';
import { GrantedSuppliersService } from './granted-suppliers.service.js';
import { ImportSuppliersRepository } from './import-suppliers.repository.js';
import { ImportSuppliersService } from './import-suppliers.service.js';
import { openDocumentStore } from './open-document-store.js';
import { ViewerResolver } from './viewer.resolver.js';

@Module({
  imports: [AuthModule],
  providers: [
    ImportSuppliersService,
    ImportSuppliersRepository,
    GrantedSuppliersService,
    GrantedSuppliersRepository,
    ViewerResolver,
    DocumentLookup,
    {
      provide: DOCUMENT_BUCKET,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => documentBucket(documentStoreAddress(environment)),
    },
    {
      provide: DocumentStore,
      inject: [ENVIRONMENT],
      useFactory: (environment: Environment) => openDocumentStore(documentStoreAddress(environment)),
    },
  ],
  exports: [DOCUMENT_BUCKET, DocumentLookup, ImportSuppliersService],
})
export class ImportSuppliersModule {}
