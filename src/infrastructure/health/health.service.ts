import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { query, run } from '../database/query.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { Readiness } from './health.types.js';

const PING = query('health.ping', 'SELECT 1 AS answer');

/** How long the known state of the database is valid. */
const KNOWN_FOR_MS = 2_000;
/** If the database does not answer within this time, it is reported as down. */
const ANSWER_MAX_MS = 1_000;

/**
 * Whether this process accepts requests, and whether its database answers. During the start there is no application yet, and
 * apps/http/starting-answers.ts answers instead.
 *
 * Source: choices O1, O4.
 */
@Injectable()
export class HealthService {
  /** True from the first signal to stop, or from an error that ends the process. */
  isStopping = false;
  private missedAtMs = -Infinity;
  private ping: Promise<boolean> | undefined;

  constructor(private readonly work: UnitOfWork) {}

  /** Report from now on that this process is stopping. */
  stop(): void {
    this.isStopping = true;
  }

  /** The response of `GET /health/ready`. */
  async readiness(): Promise<Readiness> {
    if (this.isStopping) return { status: 'stopping' };
    return { status: 'ok', database: (await this.isDatabaseUp()) ? 'up' : 'down' };
  }

  /**
   * Whether the database answers. A successful query of a request is valid for two seconds. Only without one is the database
   * pinged, at most once in two seconds, so that probes use hardly any pool connections, however many there are.
   *
   * @returns within a second; false also if no connection is free for that long and no query succeeds
   */
  async isDatabaseUp(): Promise<boolean> {
    if (isRecent(this.work.answeredAtMs)) return true;
    if (isRecent(this.missedAtMs)) return false;
    // An earlier ping may still wait for a connection. It counts if it succeeds.
    this.ping ??= this.pingDatabase().finally(() => {
      this.ping = undefined;
    });
    const timer = new AbortController();
    const isLate = delay(ANSWER_MAX_MS, false, { ref: false, signal: timer.signal });
    isLate.catch(() => undefined);
    const isUp = await Promise.race([this.ping, isLate]);
    timer.abort();
    if (!isUp) this.missedAtMs = performance.now();
    return isUp;
  }

  private pingDatabase(): Promise<boolean> {
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
