import type { FindOptionsWhere } from 'typeorm';
import { ApiKey } from '../../../auth/api-key.entity.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { Sender } from './sent-requests.types.js';

/** The senders of requests, by API key id. */
export type Senders = ReadonlyMap<string, Sender>;

/** The keys that meet a condition, ordered by the names of their organisations. */
export async function findSenders(
  tx: Tx,
  where: FindOptionsWhere<ApiKey>,
  countMax?: number,
): Promise<Senders> {
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
