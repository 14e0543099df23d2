import { Injectable } from '@nestjs/common';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';

// By queries of their own, because the module of the console is above this one.
const END_SESSIONS = query<never>('backup.end_sessions', 'DELETE FROM console_session');
const END_CODES = query<never>('backup.end_sign_in_codes', 'DELETE FROM console_sign_in_code');

@Injectable()
export class RestoreRepository {
  /** End all sessions and links to sign in: the backup may have some that were ended after it. */
  async endSessions(tx: Tx): Promise<void> {
    await run(tx, END_SESSIONS, {});
    await run(tx, END_CODES, {});
  }
}
