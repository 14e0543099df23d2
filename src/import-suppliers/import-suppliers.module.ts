import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Module } from '@nestjs/common';
import { ENVIRONMENT } from '../config/config.module.js';
import type { Environment } from '../config/settings.js';
import { DOCUMENT_BUCKET, documentBucket } from './document-location.js';
import { ImportSuppliersRepository } from './import-suppliers.repository.js';
import { ImportSuppliersService } from './import-suppliers.service.js';

@Module({
  providers: [
    ImportSuppliersService,
    ImportSuppliersRepository,
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
