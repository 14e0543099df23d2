import { Body, Get, Post } from '@nestjs/common';
import type { CsvFile } from '../common/csv-answer.js';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import {
  AtSupplier,
  OperatorAtSupplier,
  type OperatorRequest,
  type SupplierRequest,
} from '../signed-in/supplier-request.js';
import { accountFilterOf } from './accounts-query.js';
import { accountsPage, answerToRetry } from './accounts.page.js';
import { AccountsService } from './accounts.service.js';

/** The accounts of a supplier (choice C10). */
@ConsoleController('suppliers/:code')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get('accounts')
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return accountsPage(await this.accounts.page(request));
  }

  @Get('accounts.csv')
  download(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.accounts.download(request);
  }

  /** The operator is asked first (choice C9). The filters of the list stay in the address. */
  @Post('accounts')
  async retry(
    @OperatorAtSupplier() request: OperatorRequest,
    @Body() form: FormFields,
  ): Promise<ConsoleAnswer> {
    const filter = accountFilterOf(request.query);
    return answerToRetry({ ...request, filter }, await this.accounts.retry(request, form), form);
  }
}
