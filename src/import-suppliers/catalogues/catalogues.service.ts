import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { AuditService } from '../../infrastructure/audit/audit.service.js';
import { RuntimeLimitsProvider } from '../../infrastructure/validation/rules/runtime-limits.js';
import { ENVIRONMENT } from '../../infrastructure/config/config.module.js';
import type { Environment } from '../../infrastructure/config/settings.js';
import { insertNew } from '../../infrastructure/database/insert-new.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { CATALOGUE_FIELDS, CatalogueValue, type CatalogueField } from './catalogue-value.entity.js';

/** How long a snapshot is used; `catalogue add` promises that a new value is allowed everywhere within 5 seconds. */
const SNAPSHOT_TTL_MS = 2_000;

/** The allowed values of every catalogue at one time. */
export type CatalogueSnapshot = ReadonlyMap<string, ReadonlySet<string>>;

/** A value as an operator sees it. */
export type ListedValue = Pick<CatalogueValue, 'field' | 'value'>;

/**
 * The catalogues: allowed values that an operator may extend. Requests are validated against a snapshot that is at most
 * two seconds old, so that a request sends no query for it and every instance sees a new value in time.
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

  /** The present snapshot, or a promise of the next one. Concurrent callers share one query. */
  catalogues(): CatalogueSnapshot | Promise<CatalogueSnapshot> {
    if (this.latest && performance.now() - this.latest.loadedAtMs < SNAPSHOT_TTL_MS)
      return this.latest.snapshot;
    this.loading ??= this.load().finally(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  /**
   * The allowed values, ordered by field and value.
   *
   * @param wanted one field; all of them by default
   */
  async list(wanted?: CatalogueField): Promise<ListedValue[]> {
    const values = await this.find(wanted);
    return values.map(({ field, value }) => ({ field, value }));
  }

  /**
   * Allow one more value; allowing it again changes nothing.
   *
   * @param operator the name that is recorded
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
