import { Module } from '@nestjs/common';
import { NumberingService } from './numbering.service.js';

/** The log of supplier changes, and their numbers in the feed. */
@Module({ providers: [NumberingService], exports: [NumberingService] })
export class ChangesModule {}
