import { Injectable } from '@nestjs/common';
import { ApiKeysService, type ApiKeySummary } from '../../../auth/api-keys.service.js';
import { Clock } from '../../../infrastructure/clock/clock.js';
import { CommandError } from '../../../infrastructure/errors/command-error.js';
import type { FeedReader } from '../../../capabilities/feed/readers.types.js';
import { ReadersService } from '../../../capabilities/feed/readers.service.js';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { withDistinctLabels } from '../common/key-names.js';
import { NotAllowed } from '../common/page-errors.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';
import { ViewedSuppliersService } from '../signed-in/viewed-suppliers.service.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/** An organisation that may see the supplier. An admin learns of another organisation only that it exists (choice C3). */
export interface GrantedOrganisation {
  /** Undefined for an organisation other than the admin's own. */
  readonly name: string | undefined;
  readonly grantedAt: Date;
  /** Oldest first; never the keys themselves. Empty for an organisation other than the admin's own. */
  readonly keys: readonly (ApiKeySummary & { readonly isExpired: boolean })[];
}

/** The view model of the page of a supplier's settings. */
export interface SupplierSettings extends SupplierRequest {
  readonly organisations: readonly GrantedOrganisation[];
  /** Readers of the feed; undefined for a supplier's admin, who does not need them. */
  readonly readers: readonly FeedReader[] | undefined;
}

/** The settings of a supplier, the organisations that may use it, and the changes by the forms of the page. */
@Injectable()
export class SettingsService {
  constructor(
    private readonly clock: Clock,
    private readonly suppliers: ImportSuppliersService,
    private readonly keys: ApiKeysService,
    private readonly readers: ReadersService,
    private readonly viewed: ViewedSuppliersService,
  ) {}

  /**
   * The view model of the page of settings.
   *
   * Source: choices C2, C3.
   */
  async settings(request: SupplierRequest): Promise<SupplierSettings> {
    const { user, supplier } = request;
    return {
      ...request,
      organisations: await this.organisations(user, supplier, this.clock.now()),
      readers: user.kind !== 'admin' ? await this.readers.readers(supplier.id) : undefined,
    };
  }

  /**
   * Archive a supplier that is complete, or show an archived one again.
   *
   * @throws NotAllowed when the supplier is not complete
   * Source: choices S11, C3.
   */
  async archive({ user, supplier }: SupplierRequest, isArchived: boolean): Promise<void> {
    try {
      await this.suppliers.archive(supplier.code, isArchived, user.recordedAs);
    } catch (error) {
      // The supplier was reopened after the form was shown.
      if (error instanceof CommandError) throw new NotAllowed();
      throw error;
    }
  }

  private async organisations(
    user: SignedInUser,
    supplier: ViewedSupplier,
    now: Date,
  ): Promise<GrantedOrganisation[]> {
    const own: GrantedOrganisation[] = [];
    const others: GrantedOrganisation[] = [];
    for (const { organisationId, organisation, grantedAt } of await this.viewed.grants(supplier)) {
      if (user.kind === 'admin' && user.organisationId !== organisationId) {
        others.push({ name: undefined, grantedAt, keys: [] });
        continue;
      }
      const keys = withDistinctLabels(await this.keys.list(organisationId));
      const { name } = organisation;
      own.push({ name, grantedAt, keys: keys.map((key) => ({ ...key, isExpired: isExpired(key, now) })) });
    }
    return [...own, ...others];
  }
}

function isExpired({ expiresAt }: ApiKeySummary, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}
