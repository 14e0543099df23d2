import { Module } from '@nestjs/common';
import { EvidenceService } from './evidence.service.js';
import { FeedReads } from './feed-reads.js';

/** The evidence of what users and suppliers saw, for the modules that show it. */
@Module({
  providers: [EvidenceService, FeedReads],
  exports: [EvidenceService, FeedReads],
})
export class EvidenceModule {}
