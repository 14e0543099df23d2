import { Injectable } from '@nestjs/common';
import { run, query } from '../database/query.js';
import { KeyStatusCache, type KeyStatus } from './key-status.cache.js';

/** The state of an API key and its organisation in the database; the subject is the organisation's id. */
export interface ApiKeyStatus extends KeyStatus {
  readonly owner: 'organisation';
  readonly organisationName: string;
}

interface StatusRow {
  organisation_id: string;
  organisation_name: string;
  token_version: number;
  is_revoked: boolean;
  expires_at_ms: number | null;
}

const API_KEY_STATUS = query<StatusRow>(
  'auth.api_key_status',
  `SELECT o.id AS organisation_id, o.name AS organisation_name, o.token_version,
          k.revoked_at IS NOT NULL AS is_revoked,
          (extract(epoch FROM k.expires_at) * 1000)::float8 AS expires_at_ms
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.id = :id`,
);

/** The API keys in use. */
@Injectable()
export class ApiKeyStatusCache extends KeyStatusCache<ApiKeyStatus> {
  protected async load(id: string): Promise<ApiKeyStatus | undefined> {
    const [row] = await this.work.single((tx) => run(tx, API_KEY_STATUS, { id }));
    return row && toStatus(row);
  }
}

function toStatus(row: StatusRow): ApiKeyStatus {
  return {
    owner: 'organisation',
    subject: row.organisation_id,
    organisationName: row.organisation_name,
    tokenVersion: row.token_version,
    isRevoked: row.is_revoked,
    expiresAtMs: row.expires_at_ms ?? Infinity,
  };
}
