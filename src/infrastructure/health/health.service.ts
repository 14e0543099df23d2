import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { query, run } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Readiness } from './health.types.js';

const PING = query('health.ping', 'SELECT 1 AS answer');

/** What was learnt of the database holds for so long. */
const KNOWN_FOR_MS = 2_000;
/** A database that has not answered within this time is told to be down. */
const ANSWER_MAX_MS = 1_000;

/**
 * Whether this process takes requests, and whether its database answers. While it starts there is no application yet, and
 * apps/http/starting-answers.ts answers instead.
 *
 * Source: choices O1, O4.
 */
@Injectable()
export class HealthService {
  /** From the first signal to stop, or from a failure that ends the process. */
  isStopping = false;
  private missedAtMs = -Infinity;
  private asking: Promise<boolean> | undefined;

  constructor(private readonly work: UnitOfWork) {}

  /** Tell from now on that this process stops. */
  stop(): void {
    this.isStopping = true;
  }

  /** What `GET /health/ready` answers. */
  async readiness(): Promise<Readiness> {
    if (this.isStopping) return { status: 'stopping' };
    return { status: 'ok', database: (await this.isDatabaseUp()) ? 'up' : 'down' };
  }

  /**
   * Whether the database answers. The queries of requests tell it for two seconds; only without them it is asked, once in two
   * seconds, so that probes cost no connection of the pool, however many there are.
   *
   * @returns within a second; false also while no connection is free for so long and no query succeeds
   */
  async isDatabaseUp(): Promise<boolean> {
    if (isRecent(this.work.answeredAtMs)) return true;
    if (isRecent(this.missedAtMs)) return false;
    // The one that was asked before may still wait for a connection: it counts when it succeeds.
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    const timer = new AbortController();
    const isLate = delay(ANSWER_MAX_MS, false, { ref: false, signal: timer.signal });
    isLate.catch(() => undefined);
    const isUp = await Promise.race([this.asking, isLate]);
    timer.abort();
    if (!isUp) this.missedAtMs = performance.now();
    return isUp;
  }

  private ask(): Promise<boolean> {
    return this.work
      .query((tx) => run(tx, PING, {}))
      .then(
        () => true,
        () => false,
      );
  }
}

function isRecent(atMs: number): boolean {
  return performance.now() - atMs < KNOWN_FOR_MS;
}
