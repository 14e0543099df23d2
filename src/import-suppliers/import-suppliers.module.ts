import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { DOCUMENT_BUCKET, documentBucket } from './document-location.js';
import { GrantedSuppliersRepository } from './granted-suppliers.repository.js';
import { GrantedSuppliersService } from './granted-suppliers.service.js';
import { ImportSuppliersRepository } from './import-suppliers.repository.js';
import { ImportSuppliersService } from './import-suppliers.service.js';
import { ViewerResolver } from './viewer.resolver.js';

@Module({
  imports: [AuthModule],
  providers: [
    ImportSuppliersService,
    ImportSuppliersRepository,
    GrantedSuppliersService,
    GrantedSuppliersRepository,
    ViewerResolver,
    {
      provide: DOCUMENT_BUCKET,
      inject: [ENVIRONMENT],
      useFactory: ({ DOCUMENT_STORE, DATA_DIR }: Environment) =>
        documentBucket(DOCUMENT_STORE ?? pathToFileURL(join(DATA_DIR, 'documents')).href),
    },
  ],
  exports: [DOCUMENT_BUCKET, ImportSuppliersService],
})
export class ImportSuppliersModule {}
