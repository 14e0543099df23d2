import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { RuntimeLimitsProvider } from '../../infrastructure/validation/rules/runtime-limits.js';
import { ENVIRONMENT, type Environment } from '../../infrastructure/config/settings.js';
import { insertNew } from '../../infrastructure/database/insert-new.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { CATALOGUE_FIELDS, CatalogueValue, type CatalogueField } from './catalogue-value.entity.js';

/** Lifetime of a snapshot. `catalogue add` promises that a new value is allowed everywhere within 5 seconds. */
const SNAPSHOT_TTL_MS = 2_000;

/** The allowed values of every catalogue at one point in time. */
export type CatalogueSnapshot = ReadonlyMap<string, ReadonlySet<string>>;

/** A value as operators see it. */
export type ListedValue = Pick<CatalogueValue, 'field' | 'value'>;

/**
 * The catalogues: allowed values that an operator may extend. Requests are validated against a snapshot that is at most two
 * seconds old. A request thus needs no query for it, and every instance sees a new value in time.
 *
 * Source: choice X3.
 */
@Injectable()
export class CataloguesService extends RuntimeLimitsProvider {
  private latest: { readonly loadedAtMs: number; readonly snapshot: CatalogueSnapshot } | undefined;
  private loading: Promise<CatalogueSnapshot> | undefined;

  constructor(
    private readonly work: UnitOfWork,
    private readonly audit: AuditService,
    @InjectRepository(CatalogueValue) private readonly values: Repository<CatalogueValue>,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {
    super();
  }

  get itemsMax(): number {
    return this.environment.ITEMS_MAX;
  }

  /** The current snapshot, or a promise of the next one. Concurrent callers share one query. */
  catalogues(): CatalogueSnapshot | Promise<CatalogueSnapshot> {
    if (this.latest && performance.now() - this.latest.loadedAtMs < SNAPSHOT_TTL_MS)
      return this.latest.snapshot;
    this.loading ??= this.load().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  /**
   * List the allowed values, ordered by field and value.
   *
   * @param wanted one field; by default all
   */
  async list(wanted?: CatalogueField): Promise<ListedValue[]> {
    const values = await this.find(wanted);
    return values.map(({ field, value }) => ({ field, value }));
  }

  /**
   * Allow one more value. The call is idempotent.
   *
   * @param operator the name to record
   * Source: choices X3, O6.
   */
  async add(
    field: CatalogueField,
    value: string,
    operator: string,
  ): Promise<ListedValue & { readonly isNew: boolean }> {
    const isNew = await this.work.write(async (tx) => {
      const added = await insertNew(tx.withRepository(this.values), { field, value }, 'value');
      if (added) {
        await this.audit.record(tx, {
          operator,
          action: 'catalogue.add',
          subject: field,
          details: { value },
        });
      }
      return added !== undefined;
    });
    return { field, value, isNew };
  }

  private async load(): Promise<CatalogueSnapshot> {
    const loadedAtMs = performance.now();
    const values = await this.find();
    const snapshot = new Map<string, Set<string>>(CATALOGUE_FIELDS.map((field) => [field, new Set()]));
    for (const { field, value } of values) snapshot.get(field)?.add(value);
    this.latest = { loadedAtMs, snapshot };
    return snapshot;
  }

  private find(field?: CatalogueField): Promise<CatalogueValue[]> {
    return this.work.query((tx) =>
      tx.withRepository(this.values).find({
        ...(field !== undefined && { where: { field } }),
        order: { field: 'ASC', value: 'ASC' },
      }),
    );
  }
}
