import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RefusalsRepository } from './refusals.repository.js';
import { RequestReader } from './request-reader.js';
import { SendersRepository } from './senders.repository.js';
import { SentRequestsRepository } from './sent-requests.repository.js';
import { StoredRequestsRepository } from './stored-requests.repository.js';

/** Makes the readers of import requests and refusals: nobody is shown one in another way. */
@Injectable()
export class RequestReadersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly senders: SendersRepository,
    private readonly requests: SentRequestsRepository,
    private readonly refusals: RefusalsRepository,
    private readonly stored: StoredRequestsRepository,
  ) {}

  /**
   * The reader of an organisation, or of an operator.
   *
   * @param organisationId undefined for an operator
   * Source: choices A8, C3.
   */
  async of(organisationId: string | undefined): Promise<RequestReader> {
    const { work, senders, requests, refusals, stored } = this;
    const own =
      organisationId === undefined
        ? undefined
        : await work.single((tx) => senders.ofOrganisation(tx, organisationId));
    return new RequestReader({ work, senders, requests, refusals, stored }, own);
  }
}
