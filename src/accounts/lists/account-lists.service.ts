import { Injectable } from '@nestjs/common';
import { inRows } from '../../infrastructure/database/in-pages.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { AccountListsRepository } from './account-lists.repository.js';
import type { AccountListFilter, ListedAccount } from './account-lists.types.js';

/** Accounts held in memory at a time. */
const ACCOUNTS_MAX = 1_000;

/** Lists the accounts of a supplier, for operators and the supplier's admins. */
@Injectable()
export class AccountListsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: AccountListsRepository,
  ) {}

  /**
   * A page of accounts in the order of their numbers (choice S5).
   *
   * @param after the page begins after this number; empty for the first page
   * Source: choice C10; decision 15 (docs/decisions/).
   */
  page(
    importSupplierId: number,
    filter: AccountListFilter,
    after: string,
    countMax: number,
  ): Promise<ListedAccount[]> {
    return this.work.queryAt(importSupplierId, (tx) =>
      this.repository.list(tx, importSupplierId, filter, after, countMax),
    );
  }

  /** All accounts of a list. They are read in pages when they are needed, so a list of any length takes constant memory. */
  all(importSupplierId: number, filter: AccountListFilter): AsyncGenerator<ListedAccount> {
    return inRows<ListedAccount>(ACCOUNTS_MAX, (last) =>
      this.page(importSupplierId, filter, last?.externalAccountNumber ?? '', ACCOUNTS_MAX),
    );
  }
}
