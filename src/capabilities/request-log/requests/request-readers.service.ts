import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { RequestReader } from './request-reader.js';
import { findSenders } from './find-senders.js';

/** Creates the readers of import requests and refusals, which are only ever shown through such a reader. */
@Injectable()
export class RequestReadersService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * The reader of an organisation, or of an operator.
   *
   * @param organisationId undefined for an operator
   * Source: choices A8, C3.
   */
  async of(organisationId: string | undefined): Promise<RequestReader> {
    if (organisationId === undefined) return new RequestReader(this.work, undefined);
    const wanted = { organisation_id: organisationId };
    const own = await this.work.query((tx) => findSenders(tx, 'ofOrganisation', wanted));
    return new RequestReader(this.work, own);
  }
}
