import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import { KeyStatusCache, type KeyStatus } from './key-status.cache.js';
import { PLATFORM_TOKEN_VERSION } from './token.service.js';

/** The state of a platform key in the database; the subject is its own id. */
export interface PlatformKeyStatus extends KeyStatus {
  readonly owner: 'platform';
  readonly name: string;
  /** The only supplier that it may read; null for every one. */
  readonly importSupplierId: number | null;
}

type StatusRow = Pick<
  PlatformKeyStatus,
  'subject' | 'name' | 'importSupplierId' | 'isRevoked' | 'expiresAtMs'
>;

const PLATFORM_KEY_STATUS = query<StatusRow>(
  'auth.platform_key_status',
  `SELECT k.id AS subject, k.name, k.import_supplier_id AS "importSupplierId", k.revoked_at IS NOT NULL AS "isRevoked",
          (extract(epoch FROM k.expires_at) * 1000)::float8 AS "expiresAtMs"
     FROM platform_key k
    WHERE k.id = :id`,
);

/** The platform keys in use. */
@Injectable()
export class PlatformKeyStatusCache extends KeyStatusCache<PlatformKeyStatus> {
  protected async load(id: string): Promise<PlatformKeyStatus | undefined> {
    const [row] = await this.work.single((tx) => run(tx, PLATFORM_KEY_STATUS, { id }));
    return row && { owner: 'platform', tokenVersion: PLATFORM_TOKEN_VERSION, ...row };
  }
}
