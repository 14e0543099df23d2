import { Injectable } from '@nestjs/common';
import { ApiKeysService } from '../auth/api-keys.service.js';
import { OrganisationsService } from '../auth/organisations.service.js';
import { ImportSuppliersService } from '../import-suppliers/import-suppliers.service.js';
import { isDemonstration } from './demonstration.js';

/** What was removed now. */
export interface RemovedDemonstration {
  readonly keys: number;
  /** Grants of suppliers to the demonstration's organisation. */
  readonly grants: number;
}

/** Removes the demonstration. */
@Injectable()
export class DemonstrationService {
  constructor(
    private readonly organisations: OrganisationsService,
    private readonly keys: ApiKeysService,
    private readonly suppliers: ImportSuppliersService,
  ) {}

  /**
   * Remove what can be used of the demonstration: every key of its organisation is revoked, and no supplier is granted to it
   * any more. Organisation and supplier stay, because what is recorded names them, and so that the next start does not
   * create the demonstration again. Every step is recorded and can be repeated.
   *
   * @param operator the name that is recorded
   * Source: choices, section 6; choice O6.
   */
  async remove(operator: string): Promise<RemovedDemonstration> {
    const organisation = (await this.organisations.list()).find(isDemonstration);
    if (!organisation) return { keys: 0, grants: 0 };
    const valid = (await this.keys.list(organisation.id)).filter(({ revokedAt }) => revokedAt === null);
    for (const { id } of valid) await this.keys.revoke(id, operator);
    const granted = (await this.suppliers.list()).filter(({ organisations }) =>
      organisations.includes(organisation.name),
    );
    for (const { code } of granted) await this.suppliers.revoke(code, organisation.id, operator);
    return { keys: valid.length, grants: granted.length };
  }
}
