import { Module } from '@nestjs/common';
import { ContentsRepository } from './contents.repository.js';
import { ContentsService } from './contents.service.js';

/** Reading what accounts hold, for the interface and for operator commands. */
@Module({
  providers: [ContentsService, ContentsRepository],
  exports: [ContentsService, ContentsRepository],
})
export class ContentsReadingModule {}
