import { Module } from '@nestjs/common';
import { RefusalsRepository } from './refusals.repository.js';
import { RequestReadersService } from './request-readers.service.js';
import { SendersRepository } from './senders.repository.js';
import { SentRequestsRepository } from './sent-requests.repository.js';
import { StoredRequestsRepository } from './stored-requests.repository.js';

/** Import requests and refusals as somebody may see them. */
@Module({
  providers: [
    RequestReadersService,
    SendersRepository,
    SentRequestsRepository,
    RefusalsRepository,
    StoredRequestsRepository,
  ],
  exports: [RequestReadersService],
})
export class SentRequestsModule {}
