import { Module } from '@nestjs/common';
import { NumberingService } from './numbering.service.js';

/** What changes of suppliers are recorded as, and their numbers in the feed. */
@Module({ providers: [NumberingService], exports: [NumberingService] })
export class ChangesModule {}
