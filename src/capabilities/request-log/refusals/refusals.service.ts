import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import type { AuthenticatedRequest } from '../../../auth/caller.js';
import { BackgroundJob } from '../../../infrastructure/jobs/background-job.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import type { AppError } from '../../../infrastructure/errors/errors.js';
import { isUnavailable } from '../../../infrastructure/errors/sql-state.js';
import { Throttle } from '../../../infrastructure/jobs/throttle.js';
import { ENVIRONMENT, type Environment } from '../../../infrastructure/config/settings.js';
import { UnitOfWork } from '../../../infrastructure/database/unit-of-work.js';
import { SupplierIds } from '../../../import-suppliers/supplier-ids.js';
import type { ImportRouteConfig } from '../../../ingest/import-route.js';
import { RefusalCounts } from './refusal-counts.js';
import { isRefusal, toRefusal } from './refusal.js';
import type { Refusal } from './refusal.types.js';
import { RefusalsRepository } from './refusals.repository.js';

/**
 * The most refusals that wait to be stored. An organisation may have at most as many as there are free places, so that a
 * flood, or a supplier whose refusals cannot be stored, leaves room for the others.
 */
const WAITING_MAX = 10_000;
/** How many are stored at a time. Even in a flood this takes PostgreSQL only a few hundredths of its time. */
const BATCH_MAX = 2_000;
/** When more than this wait, new refusals are kept without their items (docs/decisions/0022-refusals-keep-their-items.md). */
const WITH_ITEMS_MAX = 1_000;
const INTERVAL_MS = 1_000;
/** Refusals that could not be stored are logged at most once in this time. */
const WARNING_INTERVAL_MS = 60_000;
/** After this many new refusals of a supplier its oldest are removed, without waiting for the hourly job. */
const REMOVE_AFTER = 10_000;
/** How long a stop of the service waits until the last refusals are stored. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * Records refused import requests, for the history of accounts. A request only adds to a bounded list in memory, and the
 * list is stored in the background. Refusals that find no room are dropped and counted. A crash loses the refusals that
 * wait.
 *
 * Source: choice O6.
 */
@Injectable()
export class RefusalsService implements OnApplicationBootstrap, OnApplicationShutdown {
  /** Includes refusals that are not recorded because they name no supplier or find no room. */
  readonly counts = new RefusalCounts();

  private readonly logger = new Logger('refusals');
  /** By the supplier's code, least recently stored first. */
  private readonly waiting = new Map<string, Refusal[]>();
  private waitingCount = 0;
  /** How many refusals of each organisation wait, by its id. */
  private readonly waitingByOrganisation = new Map<string, number>();
  /** Codes of suppliers whose refusals could not be stored, least recently tried first. */
  private readonly failing = new Set<string>();
  /** How many refusals of each supplier were stored since its oldest were last removed. */
  private readonly stored = new Map<number, number>();
  private readonly warnings = new Throttle(WARNING_INTERVAL_MS);
  private readonly storing = this.job(async () => {
    await this.store(this.notFailing());
    await this.removeOldest();
  });
  /** A separate job, because it may take until a time limit. */
  private readonly retrying = this.job(() => this.retry());
  private lost = 0;

  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: RefusalsRepository,
    private readonly supplierIds: SupplierIds,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** Refusals that were not recorded since the process started. */
  get dropped(): number {
    return this.lost;
  }

  /** Count a refused import request, and record it if it qualifies ({@link toRefusal}). Never fails, and waits for nothing. */
  record(error: AppError, request: AuthenticatedRequest): void {
    const { importKind } = request.routeOptions.config as ImportRouteConfig;
    if (importKind !== undefined && isRefusal(error.code)) this.counts.add(importKind, error);
    const keepsItems = this.waitingCount < WITH_ITEMS_MAX;
    const refusal = toRefusal(error, request, this.clock.now().getTime(), keepsItems);
    if (!refusal) return;
    const { organisationId, importSupplier } = refusal;
    const ofOrganisation = this.waitingByOrganisation.get(organisationId) ?? 0;
    const ofSupplier = this.waiting.get(importSupplier) ?? [];
    if (ofOrganisation >= WAITING_MAX - this.waitingCount) {
      this.lost += 1;
      return;
    }
    this.waitingByOrganisation.set(organisationId, ofOrganisation + 1);
    ofSupplier.push(refusal);
    this.waiting.set(importSupplier, ofSupplier);
    this.waitingCount += 1;
  }

  onApplicationBootstrap(): void {
    this.storing.start();
    this.retrying.start();
  }

  /** Store the refusals that wait, as far as that takes little time. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.race([this.storeAll(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    if (this.waitingCount === 0) return;
    this.logger.warn({ msg: 'refusals were not stored before the end', count: this.waitingCount });
  }

  private async storeAll(): Promise<void> {
    await this.storing.stop();
    for (let codes = this.notFailing(); codes.length > 0; codes = this.notFailing()) await this.store(codes);
    await this.retrying.stop();
    await this.retry();
  }

  private notFailing(): string[] {
    return [...this.waiting.keys()].filter((code) => !this.failing.has(code));
  }

  private job(run: () => Promise<void>): BackgroundJob {
    const onFailure = (err: unknown): void => {
      this.logger.warn({ msg: 'refusals could not be stored or removed', err });
    };
    return new BackgroundJob({ intervalMs: INTERVAL_MS, run, onFailure });
  }

  /** Try the suppliers that are failing, until one fails again. Never rejects. */
  private async retry(): Promise<void> {
    for (const code of [...this.failing]) {
      await this.store([code]);
      if (this.failing.has(code)) return;
    }
  }

  /** Store up to {@link BATCH_MAX} refusals that wait, supplier by supplier. Never rejects. */
  private async store(codes: readonly string[]): Promise<void> {
    let room = BATCH_MAX;
    try {
      const ids = await this.supplierIds.findAll(codes);
      for (const code of codes) {
        const batch = this.waiting.get(code)?.slice(0, room) ?? [];
        room -= batch.length;
        if (batch.length > 0) await this.storeBatch(code, ids.get(code), batch);
      }
    } catch (err) {
      this.fail(codes, err);
    }
  }

  /**
   * Never rejects. While the supplier's part of the database is unavailable its refusals wait. A refusal has an id, so none
   * is stored twice.
   *
   * @param id undefined when there is no such supplier; nothing is recorded then
   * @param batch the supplier's refusals that have waited longest
   */
  private async storeBatch(code: string, id: number | undefined, batch: readonly Refusal[]): Promise<void> {
    try {
      if (id !== undefined) {
        const count = await this.work.write((tx) =>
          this.repository.insert(tx, id, batch, { importSupplier: code, now: this.clock.now() }),
        );
        this.stored.set(id, (this.stored.get(id) ?? 0) + count);
      }
      this.failing.delete(code);
    } catch (err) {
      if (isUnavailable(err)) {
        this.fail([code], err);
        return;
      }
      this.warn(err);
      // PostgreSQL would reject it again.
      this.failing.delete(code);
      this.lost += batch.length;
    }
    this.forget(code, batch);
  }

  private fail(codes: readonly string[], err: unknown): void {
    this.warn(err);
    for (const code of codes) {
      this.failing.delete(code);
      this.failing.add(code);
    }
  }

  private warn(err: unknown): void {
    if (this.warnings.consume()) this.logger.warn({ msg: 'refusals could not be stored', err });
  }

  private forget(code: string, batch: readonly Refusal[]): void {
    const left = this.waiting.get(code)?.slice(batch.length) ?? [];
    this.waiting.delete(code);
    if (left.length > 0) this.waiting.set(code, left);
    this.waitingCount -= batch.length;
    for (const { organisationId } of batch) {
      const ofOrganisation = (this.waitingByOrganisation.get(organisationId) ?? 0) - 1;
      if (ofOrganisation > 0) this.waitingByOrganisation.set(organisationId, ofOrganisation);
      else this.waitingByOrganisation.delete(organisationId);
    }
  }

  /** The retention job removes the rest (refusal-retention.job.ts). */
  private async removeOldest(): Promise<void> {
    const days = this.environment.RETENTION_REFUSALS_DAYS;
    for (const [supplierId, count] of this.stored) {
      if (count < REMOVE_AFTER) continue;
      this.stored.delete(supplierId);
      while ((await this.work.query((tx) => this.repository.remove(tx, supplierId, days))) > 0);
    }
  }
}
