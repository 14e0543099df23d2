import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { RequestReader } from './request-reader.js';
import { SendersRepository } from './senders.repository.js';

/** Creates the readers of import requests and refusals, which are only ever shown through such a reader. */
@Injectable()
export class RequestReadersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly senders: SendersRepository,
  ) {}

  /**
   * The reader of an organisation, or of an operator.
   *
   * @param organisationId undefined for an operator
   * Source: choices A8, C3.
   */
  async of(organisationId: string | undefined): Promise<RequestReader> {
    const { work, senders } = this;
    const own =
      organisationId === undefined
        ? undefined
        : await work.query((tx) => senders.find(tx, { organisationId }));
    return new RequestReader(work, senders, own);
  }
}
