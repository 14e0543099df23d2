import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { ApiKey } from '../../auth/api-key.entity.js';
import type { Tx } from '../../database/unit-of-work.js';

@Injectable()
export class SendersRepository {
  /** API keys with their organisations. @param organisationId of which organisation; undefined for all */
  listKeys(tx: Tx, ids: readonly string[], organisationId: string | undefined): Promise<ApiKey[]> {
    return tx.find(ApiKey, {
      where: { id: In(ids), ...(organisationId !== undefined && { organisationId }) },
      relations: { organisation: true },
    });
  }
}
