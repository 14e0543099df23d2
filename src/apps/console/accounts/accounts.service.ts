import { Injectable } from '@nestjs/common';
import { AccountListsService } from '../../../accounts/lists/account-lists.service.js';
import {
  HAS_LOAD,
  LISTED_STATES,
  type AccountListFilter,
  type ListedAccount,
} from '../../../accounts/lists/account-lists.types.js';
import { readChoice, readOptionalSegment } from '../common/parameters.js';
import { members, type ListFile, type SupplierList } from '../layout/list.types.js';
import type { SupplierRequest } from '../signed-in/supplier-request.js';

/** The accounts of a supplier in the order of their numbers, by the filters of choice C10. */
@Injectable()
export class AccountsService implements SupplierList<ListedAccount, AccountListFilter> {
  readonly file: ListFile<ListedAccount> = {
    name: 'accounts.csv',
    recordedAs: 'accounts.download',
    ...members<ListedAccount>(
      ...(['externalAccountNumber', 'state', 'serviceAccountNumber', 'stagedAt'] as const),
      ...(['accountCreatedAt', 'requests', 'lastRequestAt', 'control', 'failure', 'failedAt'] as const),
    ),
  };

  constructor(private readonly lists: AccountListsService) {}

  filterOf({ query: { state, load, differs, cause } }: SupplierRequest): AccountListFilter {
    return {
      state: readChoice(LISTED_STATES, state),
      load: readChoice(HAS_LOAD, load),
      differs: readChoice(['1'], differs) !== undefined,
      cause: readOptionalSegment(cause === '' ? undefined : cause),
    };
  }

  read(
    { supplier }: SupplierRequest,
    filter: AccountListFilter,
    after = '',
    countMax: number,
  ): Promise<readonly ListedAccount[]> {
    return this.lists.page(supplier.id, filter, after, countMax);
  }

  positionOf({ externalAccountNumber }: ListedAccount): string {
    return externalAccountNumber;
  }
}
