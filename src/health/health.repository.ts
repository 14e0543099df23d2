import { Injectable } from '@nestjs/common';
import { query, run } from '../database/query.js';
import type { Tx } from '../database/unit-of-work.js';

const PING = query('health.ping', 'SELECT 1 AS answer');

@Injectable()
export class HealthRepository {
  /** Resolves when the database has answered. */
  async ping(tx: Tx): Promise<void> {
    await run(tx, PING, {});
  }
}
