import { Module } from '@nestjs/common';
import { RunsService } from './runs.service.js';

/** Background runs for suppliers, and their progress. */
@Module({ providers: [RunsService], exports: [RunsService] })
export class RunsModule {}
