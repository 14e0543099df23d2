import { Module } from '@nestjs/common';
import { EvidenceRepository } from './evidence.repository.js';
import { EvidenceService } from './evidence.service.js';
import { FeedReads } from './feed-reads.js';

/** The record of what viewers and suppliers saw, for the modules that show it. */
@Module({
  providers: [EvidenceService, EvidenceRepository, FeedReads],
  exports: [EvidenceService, EvidenceRepository],
})
export class EvidenceModule {}
