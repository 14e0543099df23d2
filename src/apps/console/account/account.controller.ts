import { Param } from '@nestjs/common';
import { ConsoleController, PageFor } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { USERS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import { readSegment } from '../common/parameters.js';
import { accountPage } from './account.page.js';
import { AccountService } from './account.service.js';
import { readAccountQuery, readOccurrence } from './account-query.js';
import { notePage } from './notes.js';
import { transactionPage } from './transaction.page.js';

/** One account, and one of its notes or transactions (choices C2, C5). */
@ConsoleController('suppliers/:code/accounts/:number')
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  @PageFor(USERS)
  async show(@AtSupplier() request: SupplierRequest, @Param('number') accountNumber: string): Promise<Page> {
    return accountPage(
      await this.accounts.page(request, readSegment(accountNumber), readAccountQuery(request.query)),
    );
  }

  @PageFor(USERS, 'notes/:place')
  async note(
    @AtSupplier() request: SupplierRequest,
    @Param('number') accountNumber: string,
    @Param('place') place: string,
  ): Promise<Page> {
    return notePage(await this.accounts.note(request, readSegment(accountNumber), place));
  }

  @PageFor(USERS, 'transactions/:id')
  async transaction(
    @AtSupplier() request: SupplierRequest,
    @Param('number') accountNumber: string,
    @Param('id') id: string,
  ): Promise<Page> {
    const occurrence = readOccurrence(request.query.occurrence);
    return transactionPage(
      await this.accounts.transaction(request, readSegment(accountNumber), [readSegment(id), occurrence]),
    );
  }
}
