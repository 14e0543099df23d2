import { Injectable } from '@nestjs/common';
import { ApiKeysService, type ApiKeySummary } from '../../auth/api-keys.service.js';
import { Clock } from '../../common/clock.js';
import { CommandError } from '../../common/command-error.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ReadersService } from '../../feed/readers.service.js';
import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { NotAllowed } from '../common/page-errors.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import type { Viewer } from '../viewers/viewer.js';
import { SupplierRepository } from './supplier.repository.js';
import type { GrantedOrganisation, SupplierSettings } from './supplier.types.js';

/** The settings of a supplier, who may use it, and what the forms of the page change. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
    private readonly viewed: ViewedSuppliersService,
    private readonly suppliers: ImportSuppliersService,
    private readonly keys: ApiKeysService,
    private readonly readers: ReadersService,
    private readonly repository: SupplierRepository,
  ) {}

  /**
   * What the page of the settings shows.
   *
   * @throws PageNotFound
   * Source: choices C2, C3.
   */
  async settings(viewer: Viewer, code: string): Promise<SupplierSettings> {
    const supplier = await this.viewed.find(viewer, code);
    return {
      ...{ viewer: viewer.kind, supplier },
      organisations: await this.organisations(viewer, supplier, this.clock.now()),
      readers: viewer.kind === 'operator' ? await this.readers.readers(supplier.id) : undefined,
    };
  }

  /**
   * Set the status of a supplier; the change is recorded with the name of the operator.
   *
   * @throws PageNotFound when the viewer does not see the supplier; NotAllowed when it is no operator
   * Source: choices S1, C3.
   */
  async setStatus(viewer: Viewer, code: string, status: SupplierStatus): Promise<void> {
    await this.suppliers.change(code, { status }, await this.operatorAt(viewer, code));
  }

  /**
   * Archive a supplier that is complete, or show an archived one again.
   *
   * @throws PageNotFound when the viewer does not see the supplier; NotAllowed when it is no operator, or the supplier is not complete
   * Source: choices S11, C3.
   */
  async archive(viewer: Viewer, code: string, isArchived: boolean): Promise<void> {
    const operator = await this.operatorAt(viewer, code);
    try {
      await this.suppliers.archive(code, isArchived, operator);
    } catch (error) {
      // It was reopened since the form was shown.
      if (error instanceof CommandError) throw new NotAllowed();
      throw error;
    }
  }

  /** @returns the name that is recorded */
  private async operatorAt(viewer: Viewer, code: string): Promise<string> {
    await this.viewed.find(viewer, code);
    if (viewer.kind !== 'operator') throw new NotAllowed();
    return viewer.recordedAs;
  }

  private async organisations(
    viewer: Viewer,
    { id }: ViewedSupplier,
    now: Date,
  ): Promise<GrantedOrganisation[]> {
    const grants = await this.work.single((tx) => this.repository.grants(tx, id));
    const own = grants.filter(({ organisationId }) => isShown(viewer, organisationId));
    const others = grants.filter(({ organisationId }) => !isShown(viewer, organisationId));
    const shown: GrantedOrganisation[] = [];
    for (const { organisationId, organisation, grantedAt } of own) {
      const keys = await this.keys.list(organisationId);
      shown.push({
        name: organisation.name,
        grantedAt,
        keys: keys.map((key) => ({ ...key, isExpired: isExpired(key, now) })),
      });
    }
    return [...shown, ...others.map(({ grantedAt }) => ({ name: undefined, grantedAt, keys: [] }))];
  }
}

function isShown(viewer: Viewer, organisationId: string): boolean {
  return viewer.kind === 'operator' || viewer.organisationId === organisationId;
}

function isExpired({ expiresAt }: ApiKeySummary, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
