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

  /** Of all organisations, ordered by their names. */
  list(tx: Tx, countMax: number): Promise<Senders> {
    return senders(tx, {}, countMax);
  }
}

async function senders(tx: Tx, where: FindOptionsWhere<ApiKey>, countMax?: number): Promise<Senders> {
  const keys = await tx.find(ApiKey, {
    where,
    relations: { organisation: true },
    order: { organisation: { name: 'ASC' }, label: 'ASC', id: 'ASC' },
    ...(countMax !== undefined && { take: countMax }),
  });
  return new Map(
    keys.map(({ id, organisationId, organisation, label }) => [
      id,
      { organisationId, organisation: organisation.name, label },
    ]),
  );
}
