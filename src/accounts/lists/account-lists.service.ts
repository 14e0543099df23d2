import { Injectable } from '@nestjs/common';
import { inPages } from '../../infrastructure/database/in-pages.js';
import { UnitOfWork } from '../../infrastructure/database/unit-of-work.js';
import { AccountListsRepository } from './account-lists.repository.js';
import type { AccountListFilter, ListedAccount } from './account-lists.types.js';

/** Accounts that are held in memory at a time. */
const ACCOUNTS_MAX = 1_000;

/** Lists of the accounts of a supplier, for operators and its admins. */
@Injectable()
export class AccountListsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly repository: AccountListsRepository,
  ) {}

  /**
   * A page of accounts in the order of their numbers (choice S5).
   *
   * @param after the number after which it begins; empty for the first page
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

  /** All accounts of a list, in pages that are read when they are needed: a list of any length takes constant memory. */
  pages(importSupplierId: number, filter: AccountListFilter): AsyncGenerator<readonly ListedAccount[]> {
    return inPages<ListedAccount>(ACCOUNTS_MAX, (last) =>
      this.page(importSupplierId, filter, last?.externalAccountNumber ?? '', ACCOUNTS_MAX),
    );
  }
}
