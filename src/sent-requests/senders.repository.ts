import { Injectable } from '@nestjs/common';
import { In, type FindOptionsWhere } from 'typeorm';
import { ApiKey } from '../auth/api-key.entity.js';
import type { Tx } from '../database/unit-of-work.js';
import type { Sender } from './sent-requests.types.js';

/** Who sent requests, by the ids of API keys. */
export type Senders = ReadonlyMap<string, Sender>;

@Injectable()
export class SendersRepository {
  /** Of all keys of an organisation. */
  ofOrganisation(tx: Tx, organisationId: string): Promise<Senders> {
    return senders(tx, { organisationId });
  }

  ofKeys(tx: Tx, ids: readonly string[]): Promise<Senders> {
    return senders(tx, { id: In(ids) });
  }
}

async function senders(tx: Tx, where: FindOptionsWhere<ApiKey>): Promise<Senders> {
  const keys = await tx.find(ApiKey, { where, relations: { organisation: true } });
  return new Map(
    keys.map(({ id, organisationId, organisation, label }) => [
      id,
      { organisationId, organisation: organisation.name, label },
    ]),
  );
}
