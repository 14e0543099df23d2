import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { FindOptionsWhere, Repository } from 'typeorm';
import { ApiKey } from '../../../auth/api-key.entity.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { Sender } from './sent-requests.types.js';

/** The senders of requests, by API key id. */
export type Senders = ReadonlyMap<string, Sender>;

@Injectable()
export class SendersRepository {
  constructor(@InjectRepository(ApiKey) private readonly apiKeys: Repository<ApiKey>) {}

  /** The keys that a condition finds, ordered by the names of their organisations. */
  async find(tx: Tx, where: FindOptionsWhere<ApiKey>, countMax?: number): Promise<Senders> {
    const keys = await tx.withRepository(this.apiKeys).find({
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
}
