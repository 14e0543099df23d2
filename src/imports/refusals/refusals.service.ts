import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AuthenticatedRequest } from '../../auth/caller.js';
import { Clock } from '../../common/clock.js';
import type { AppError } from '../../common/errors.js';
import { isUnavailable } from '../../common/sql-state.js';
import { ENVIRONMENT } from '../../config/config.module.js';
import type { Environment } from '../../config/settings.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { toRefusal } from './refusal.js';
import type { Refusal } from './refusal.types.js';
import { RefusalsRepository } from './refusals.repository.js';

/** Refusals that wait to be stored; of them so many of one organisation, so that a flood leaves room for the others. */
const WAITING_MAX = 10_000;
const WAITING_OF_ONE_MAX = 5_000;
/** So many are stored at a time: a flood of refusals then takes PostgreSQL a few hundredths of its time. */
const BATCH_MAX = 2_000;
const INTERVAL_MS = 1_000;
/** After so many of one supplier the oldest are removed, without waiting for the hourly job. */
const REMOVE_AFTER = 10_000;
/** How long the end of the service waits until the last refusals are stored. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * Records refused import requests, for the history of accounts. A request only adds to a bounded list in memory; the list
 * is stored in the background. What finds no room is dropped and counted, and a crash loses what waits.
 *
 * Source: choice O6.
 */
@Injectable()
export class RefusalsService implements OnApplicationShutdown {
  private readonly logger = new Logger('refusals');
  private readonly waiting: Refusal[] = [];
  /** How many of an organisation, by its id. */
  private readonly waitingOfOne = new Map<string, number>();
  /** How many of a supplier were stored since its oldest were last removed. */
  private readonly stored = new Map<number, number>();
  private timer: NodeJS.Timeout | undefined;
  /** Whether the last attempt to store failed. */
  private isFailing = false;
  private isStopping = false;
  /** The store that is running. */
  private storing: Promise<void> = Promise.resolve();
  private lost = 0;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RefusalsRepository,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Refusals that were not recorded since the process started. */
  get dropped(): number {
    return this.lost;
  }

  /** Record a refused request, if it is one that is recorded ({@link toRefusal}). Never fails and waits for nothing. */
  record(error: AppError, request: AuthenticatedRequest): void {
    const refusal = toRefusal(error, request, this.clock.now().getTime());
    if (!refusal) return;
    const ofOne = this.waitingOfOne.get(refusal.organisationId) ?? 0;
    if (this.waiting.length === WAITING_MAX || ofOne === WAITING_OF_ONE_MAX) {
      this.lost += 1;
      return;
    }
    this.waitingOfOne.set(refusal.organisationId, ofOne + 1);
    this.waiting.push(refusal);
    this.storeSoon();
  }

  /** Store what waits, as far as that takes little time. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await Promise.race([this.storeAll(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    if (this.waiting.length === 0) return;
    this.logger.warn({ msg: 'refusals were not stored before the end', count: this.waiting.length });
  }

  private async storeAll(): Promise<void> {
    await this.storing;
    do await this.store();
    while (this.waiting.length > 0 && !this.isFailing);
  }

  private storeSoon(): void {
    if (this.isStopping) return;
    this.timer ??= setTimeout(() => {
      this.storing = this.storeSome();
    }, INTERVAL_MS).unref();
  }

  private async storeSome(): Promise<void> {
    await this.store();
    await this.removeOldest();
    this.timer = undefined;
    if (this.waiting.length > 0) this.storeSoon();
  }

  /** Never rejects. While the database is unavailable everything waits; a refusal has an id, so none is stored twice. */
  private async store(): Promise<void> {
    const batch = this.waiting.slice(0, BATCH_MAX);
    if (batch.length === 0) return;
    try {
      const stored = await this.work.single((tx) => this.repository.insert(tx, batch));
      for (const { import_supplier_id: id, count } of stored) {
        this.stored.set(id, (this.stored.get(id) ?? 0) + count);
      }
      this.forget(batch);
      this.isFailing = false;
    } catch (err) {
      if (!this.isFailing) this.logger.warn({ msg: 'refusals could not be stored', err });
      this.isFailing = true;
      if (isUnavailable(err)) return;
      // What PostgreSQL rejects it would reject again.
      this.lost += batch.length;
      this.forget(batch);
    }
  }

  /** @param batch the first of those that wait */
  private forget(batch: readonly Refusal[]): void {
    this.waiting.splice(0, batch.length);
    for (const { organisationId } of batch) {
      const ofOne = (this.waitingOfOne.get(organisationId) ?? 0) - 1;
      if (ofOne > 0) this.waitingOfOne.set(organisationId, ofOne);
      else this.waitingOfOne.delete(organisationId);
    }
  }

  /** Never rejects: what it leaves is removed by the job (refusal-retention.job.ts). */
  private async removeOldest(): Promise<void> {
    const days = this.environment.RETENTION_REFUSALS_DAYS;
    for (const [supplierId, count] of this.stored) {
      if (count < REMOVE_AFTER) continue;
      this.stored.delete(supplierId);
      try {
        while ((await this.work.single((tx) => this.repository.remove(tx, days, supplierId))) > 0);
      } catch (err) {
        this.logger.warn({ msg: 'refusals could not be removed', err });
      }
    }
  }
}
