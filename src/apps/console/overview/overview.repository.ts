import { Injectable } from '@nestjs/common';
import { Between, IsNull } from 'typeorm';
import { ApiKey } from '../../../auth/api-key.entity.js';
import type { Tx } from '../../../infrastructure/database/unit-of-work.js';
import type { ExpiringKey } from '../progress/attention.js';

@Injectable()
export class OverviewRepository {
  /**
   * The keys that were not revoked and expire in a period, the earliest first.
   *
   * @param organisationId the organisation of the keys; undefined for all
   */
  async expiringKeys(
    tx: Tx,
    organisationId: string | undefined,
    from: Date,
    to: Date,
  ): Promise<ExpiringKey[]> {
    const keys = await tx.find(ApiKey, {
      where: {
        revokedAt: IsNull(),
        expiresAt: Between(from, to),
        ...(organisationId !== undefined && { organisationId }),
      },
      relations: { organisation: true },
      order: { expiresAt: 'ASC', id: 'ASC' },
    });
    return keys.flatMap(({ label, expiresAt, organisation: { name } }) =>
      expiresAt ? [{ organisation: name, label, expiresAt }] : [],
    );
  }
}
