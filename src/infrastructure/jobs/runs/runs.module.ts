import { Module } from '@nestjs/common';
import { RunsRepository } from './runs.repository.js';
import { RunsService } from './runs.service.js';

/** Work for suppliers in the background, and how far it is. */
@Module({
  providers: [RunsService, RunsRepository],
  exports: [RunsService],
})
export class RunsModule {}
