import { Module } from '@nestjs/common';
import { RequestReadersService } from './request-readers.service.js';

/** Import requests and refusals, limited to what their reader may see. */
@Module({ providers: [RequestReadersService], exports: [RequestReadersService] })
export class SentRequestsModule {}
