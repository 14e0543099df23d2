import { Module } from '@nestjs/common';
import { OrganisationsModule } from '../../../auth/organisations.module.js';
import { RequestReadersService } from './request-readers.service.js';
import { SendersRepository } from './senders.repository.js';

/** Import requests and refusals, limited to what their reader may see. */
@Module({
  imports: [OrganisationsModule],
  providers: [RequestReadersService, SendersRepository],
  exports: [RequestReadersService],
})
export class SentRequestsModule {}
