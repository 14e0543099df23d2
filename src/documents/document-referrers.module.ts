import { Module } from '@nestjs/common';
import { DocumentReferrers } from './document-referrers.js';

/** Where the modules above register what refers to documents. */
@Module({
  providers: [DocumentReferrers],
  exports: [DocumentReferrers],
})
export class DocumentReferrersModule {}
