import { Injectable } from '@nestjs/common';
import { query, run, runForOne } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';

/** A key of an organisation that is valid in the database. */
export interface ValidApiKey {
  readonly id: string;
  /** Name of the organisation. */
  readonly organisation: string;
  readonly label: string;
}

export interface ValidPlatformKey {
  readonly id: string;
  readonly name: string;
}

/** In a new database it remembers the place. */
const IS_AT_PLACE = query<{ is_known: boolean }>(
  'restored.is_at_place',
  `WITH first AS (
     INSERT INTO database_place (place)
     SELECT :place WHERE NOT EXISTS (SELECT FROM organisation) AND NOT EXISTS (SELECT FROM import_supplier)
         ON CONFLICT DO NOTHING
     RETURNING place
   )
   SELECT EXISTS (SELECT FROM first UNION ALL SELECT FROM database_place p WHERE p.place = :place) AS is_known`,
);

/** Another process that does the same waits here until it is done, and then changes nothing. */
const REMEMBER_PLACE = query<{ place: string }>(
  'restored.remember_place',
  `INSERT INTO database_place AS p (place) VALUES (:place)
       ON CONFLICT (is_only) DO UPDATE SET place = excluded.place WHERE p.place <> excluded.place
   RETURNING p.place`,
);

// By queries of their own, because the modules of the console and of the keys do not end what is not theirs alone.
const END_SESSIONS = query<{ ended: number }>(
  'restored.end_sessions',
  `WITH codes AS (DELETE FROM console_sign_in_code),
        sessions AS (DELETE FROM console_session RETURNING revoked_at IS NULL AND expires_at > now() AS is_live)
   SELECT count(*) FILTER (WHERE is_live)::integer AS ended FROM sessions`,
);

/** A sequence is not set back with its transaction: numbers are skipped again when it is tried again, and there are four billion. */
const SKIP_NUMBERS = query<never>(
  'restored.skip_account_numbers',
  `SELECT setval('service_account_serial', least(s.last_value + :count::bigint, 4294967295)) FROM service_account_serial s`,
);

const SUPPLIERS = query<{ id: number; code: string }>(
  'restored.suppliers',
  'SELECT s.id, s.code FROM import_supplier s ORDER BY s.code',
);

const API_KEYS = query<ValidApiKey>(
  'restored.valid_api_keys',
  `SELECT k.id, o.name AS organisation, k.label
     FROM api_key k
     JOIN organisation o ON o.id = k.organisation_id
    WHERE k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
    ORDER BY o.name, k.id`,
);

const PLATFORM_KEYS = query<ValidPlatformKey>(
  'restored.valid_platform_keys',
  'SELECT k.id, k.name FROM platform_key k WHERE k.revoked_at IS NULL AND k.expires_at > now() ORDER BY k.name, k.id',
);

@Injectable()
export class RestoredRepository {
  /** Whether the database was last used at a place, or is new: nobody has made anything in it. */
  async isAtPlace(tx: Tx, place: string): Promise<boolean> {
    return (await runForOne(tx, IS_AT_PLACE, { place })).is_known;
  }

  /** @returns whether it was at another one */
  async rememberPlace(tx: Tx, place: string): Promise<boolean> {
    return (await run(tx, REMEMBER_PLACE, { place })).length > 0;
  }

  /** End all sessions and links to sign in. @returns how many of the sessions were live */
  async endSessions(tx: Tx): Promise<number> {
    return (await runForOne(tx, END_SESSIONS, {})).ended;
  }

  /** Skip platform account numbers that may have been given. */
  async skipNumbers(tx: Tx, count: number): Promise<void> {
    await run(tx, SKIP_NUMBERS, { count });
  }

  suppliers(tx: Tx): Promise<{ id: number; code: string }[]> {
    return run(tx, SUPPLIERS, {});
  }

  async validKeys(tx: Tx): Promise<{ apiKeys: ValidApiKey[]; platformKeys: ValidPlatformKey[] }> {
    return { apiKeys: await run(tx, API_KEYS, {}), platformKeys: await run(tx, PLATFORM_KEYS, {}) };
  }
}
