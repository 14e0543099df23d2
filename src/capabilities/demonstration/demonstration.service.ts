import { Injectable } from '@nestjs/common';
import { ErasureService } from '../erasure/erasure.service.js';
import type { ErasureOrder } from '../erasure/erasure.types.js';
import { ImportProgressService } from '../totals/import-progress.service.js';
import { ApiKeysService } from '../../auth/api-keys.service.js';
import { OrganisationsService, type OrganisationSummary } from '../../auth/organisations.service.js';
import { ImportSuppliersService } from '../../import-suppliers/import-suppliers.service.js';
import { isDemonstration, SUPPLIER, SUPPLIER_NAME } from './demonstration-setup.service.js';

export type RemovalOptions = Pick<ErasureOrder, 'operator' | 'interrupted' | 'onLongWait'>;

/** Counts of what this call removed. */
export interface RemovedDemonstration extends ErasedAccounts {
  readonly keys: number;
  /** Grants of suppliers to the demonstration's organisation. */
  readonly grants: number;
}

interface ErasedAccounts {
  readonly accounts: number;
  /** Whether an interruption left some of them. */
  readonly isInterrupted: boolean;
  /** Other organisations that the supplier is granted to. Its accounts are kept because of them. */
  readonly others: readonly string[];
}

const NO_ACCOUNTS: ErasedAccounts = { accounts: 0, isInterrupted: false, others: [] };

@Injectable()
export class DemonstrationService {
  constructor(
    private readonly organisations: OrganisationsService,
    private readonly keys: ApiKeysService,
    private readonly suppliers: ImportSuppliersService,
    private readonly progress: ImportProgressService,
    private readonly erasures: ErasureService,
  ) {}

  /**
   * Revoke every key of the demonstration's organisation, then every grant to it, then erase the accounts of its supplier
   * with everything stored for them. The accounts are kept when another organisation uses the supplier too. The
   * organisation and the supplier always stay, because audit entries name them and because the next start would otherwise
   * create the demonstration again. Every step is recorded and can be repeated.
   *
   * Source: choices, section 6, S10, O6.
   */
  async remove(options: RemovalOptions): Promise<RemovedDemonstration> {
    const organisation = (await this.organisations.list()).find(isDemonstration);
    const keys = organisation ? await this.revokeKeys(organisation, options) : 0;
    const grants = organisation ? await this.revokeGrants(organisation, options) : 0;
    return { keys, grants, ...(await this.eraseAccounts(options)) };
  }

  private async revokeKeys({ id }: OrganisationSummary, { operator }: RemovalOptions): Promise<number> {
    const valid = (await this.keys.list(id)).filter(({ revokedAt }) => revokedAt === null);
    for (const key of valid) await this.keys.revoke(key.id, operator);
    return valid.length;
  }

  private async revokeGrants(
    { id, name }: OrganisationSummary,
    { operator }: RemovalOptions,
  ): Promise<number> {
    const granted = (await this.suppliers.list()).filter(({ organisations }) => organisations.includes(name));
    for (const { code } of granted) await this.suppliers.revoke(code, id, operator);
    return granted.length;
  }

  private async eraseAccounts(options: RemovalOptions): Promise<ErasedAccounts> {
    // An operator may have created a supplier with the same code, but hardly with the same name.
    const supplier = (await this.suppliers.list()).find(({ code }) => code === SUPPLIER);
    if (supplier?.name !== SUPPLIER_NAME || !(await this.hasRows())) return NO_ACCOUNTS;
    if (supplier.organisations.length > 0) return { ...NO_ACCOUNTS, others: supplier.organisations };
    const erasure = await this.erasures.begin({
      ...options,
      importSupplier: SUPPLIER,
      externalAccountNumber: null,
      reason: 'demonstration remove',
    });
    const documents = erasure.documents[Symbol.asyncIterator]();
    // Reading the documents drives the erasure. Their locations are not needed here.
    let next = await documents.next();
    while (next.done !== true) next = await documents.next();
    return { accounts: erasure.state.accounts, isInterrupted: !erasure.isComplete, others: [] };
  }

  /** Also true when an interrupted erasure removed the accounts but left some of their rows. */
  private async hasRows(): Promise<boolean> {
    const { accounts, items } = (await this.progress.supplier(SUPPLIER)).totals;
    return Object.values<number>({ ...accounts, ...items }).some((count) => count > 0);
  }
}
