import { Module } from '@nestjs/common';
import { DocumentStoreModule } from '../documents/document-store.module.js';
import { ImportSuppliersModule } from '../import-suppliers/import-suppliers.module.js';
import { registerMetrics } from '../infrastructure/metrics/metrics.registry.js';
import { AnsweredItems } from './answered-items.js';
import { DocumentImports } from './document-check.js';
import { expressMetrics, itemMetrics } from './import-metrics.js';
import { ImportRunner } from './import-runner.js';

/** The providers that the services of all imports share. */
@Module({
  imports: [ImportSuppliersModule, DocumentStoreModule],
  providers: [
    AnsweredItems,
    ImportRunner,
    DocumentImports,
    registerMetrics(itemMetrics, AnsweredItems),
    registerMetrics(expressMetrics, ImportRunner),
  ],
  exports: [DocumentStoreModule, AnsweredItems, ImportRunner, DocumentImports],
})
export class ImportsModule {}
