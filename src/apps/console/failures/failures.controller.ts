import { Body, Get, Post } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import type { CsvFile } from '../common/csv-answer.js';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import {
  AtSupplier,
  OperatorAtSupplier,
  type OperatorRequest,
  type SupplierRequest,
} from '../signed-in/supplier-request.js';
import { CurrentUser, type SignedInUser } from '../signed-in/signed-in-user.js';
import { allFailuresPage } from './all-failures.page.js';
import { causePage } from './cause.page.js';
import { failuresPage } from './failures.page.js';
import { FailuresService } from './failures.service.js';
import { retryPage } from './retry.page.js';

/** The failures of all suppliers (choices C2, C9). */
@ConsoleController('failures')
export class AllFailuresController {
  constructor(private readonly failures: FailuresService) {}

  @Get()
  async show(@CurrentUser() user: SignedInUser): Promise<Page> {
    return allFailuresPage(user, await this.failures.everywhere(user));
  }
}

/** The failures of a supplier (choices C2, C9). */
@ConsoleController('suppliers/:code/failures')
export class FailuresController {
  constructor(private readonly failures: FailuresService) {}

  @Get()
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return failuresPage(await this.failures.show(request));
  }

  @Get('cause')
  async showCause(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return causePage(await this.failures.showCause(request));
  }

  @Get('refusals.csv')
  download(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.failures.download(request);
  }

  @Get('retry')
  async askToRetry(@OperatorAtSupplier() request: OperatorRequest): Promise<Page> {
    return retryPage(await this.failures.askToRetry(request));
  }

  @Post('retry')
  async retry(
    @OperatorAtSupplier() request: OperatorRequest,
    @Body() form: FormFields,
  ): Promise<Redirection> {
    await this.failures.retry(request, form);
    return { location: ADDRESSES.failures(request.supplier.code) };
  }
}
