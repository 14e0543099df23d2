import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { Clock } from '../../infrastructure/clock/clock.js';
import { Throttle } from '../../infrastructure/jobs/throttle.js';
import { judge, KEY_EXPIRES_MS, type Judged } from './conditions.js';
import { ConditionsService } from './conditions.service.js';
import type { SupplierFacts } from './facts.types.js';

/** All metrics of one scrape share a reading. */
const KEPT_MS = 1_000;
/** A scrape waits this long for a reading, and shows the last one if the database is slower. */
const WAIT_MS = 2_000;
/** A lasting failure is logged once in this time. */
const REPORT_INTERVAL_MS = 60_000;

/** All suppliers that are not archived, with their conditions, at one time. */
export interface Reading {
  readonly now: Date;
  readonly suppliers: readonly (SupplierFacts & Judged)[];
  readonly expiringKeys: number;
}

const NOTHING: Reading = { now: new Date(0), suppliers: [], expiringKeys: 0 };

/** Reads all suppliers for the metrics. */
@Injectable()
export class ConditionReadings {
  private readonly logger = new Logger('conditions');
  private readonly reports = new Throttle(REPORT_INTERVAL_MS);
  private running: Promise<void> | undefined;
  private readAtMs = -Infinity;
  private latest = NOTHING;

  constructor(
    private readonly conditions: ConditionsService,
    private readonly keys: ApiKeysService,
    private readonly clock: Clock,
  ) {}

  /** @returns no supplier while the database does not answer: the other metrics must not fail or wait with these */
  async read(): Promise<Reading> {
    if (!this.running && performance.now() - this.readAtMs > KEPT_MS) this.running = this.refresh();
    if (this.running) await Promise.race([this.running, delay(WAIT_MS, undefined, { ref: false })]);
    return this.latest;
  }

  private async refresh(): Promise<void> {
    try {
      this.latest = await this.readNow();
    } catch (err) {
      this.latest = NOTHING;
      if (this.reports.consume())
        this.logger.warn({ msg: 'could not read the conditions of suppliers', err });
    }
    this.readAtMs = performance.now();
    this.running = undefined;
  }

  private async readNow(): Promise<Reading> {
    const now = this.clock.now();
    const facts = await this.conditions.all();
    const keys = await this.keys.expiring(undefined, now, new Date(now.getTime() + KEY_EXPIRES_MS));
    return {
      now,
      suppliers: facts.map((one) => ({ ...one, ...judge(one, now) })),
      expiringKeys: keys.length,
    };
  }
}
