import { Get, Param, Query } from '@nestjs/common';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { readSegment } from '../common/parameters.js';
import { accountPage } from './account.page.js';
import { AccountService } from './account.service.js';
import { readAccountQuery, readOccurrence } from './account-query.js';
import { transactionPage } from './transaction.page.js';

/** One account, and one of its transactions (choices C2, C5). */
@ConsoleController('suppliers/:code/accounts/:number')
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Param('number') number: string,
    @Query() query: Record<string, unknown>,
  ): Promise<Page> {
    return accountPage(
      await this.accounts.page(viewer, readSegment(code), readSegment(number), readAccountQuery(query)),
    );
  }

  @Get('transactions/:id')
  async transaction(
    @CurrentViewer() viewer: Viewer,
    @Param() { code = '', number = '', id = '' }: Record<string, string>,
    @Query('occurrence') occurrence: unknown,
  ): Promise<Page> {
    const account = { code: readSegment(code), number: readSegment(number) };
    return transactionPage(
      await this.accounts.transaction(viewer, account, [readSegment(id), readOccurrence(occurrence)]),
    );
  }
}
