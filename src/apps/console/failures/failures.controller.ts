import { Body } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import type { CsvFile } from '../common/csv-answer.js';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { OPERATORS, USERS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
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

  @PageFor(USERS)
  async show(@CurrentUser() user: SignedInUser): Promise<Page> {
    return allFailuresPage(user, await this.failures.everywhere(user));
  }
}

/** The failures of a supplier (choices C2, C9). */
@ConsoleController('suppliers/:code/failures')
export class FailuresController {
  constructor(private readonly failures: FailuresService) {}

  @PageFor(USERS)
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return failuresPage(await this.failures.show(request));
  }

  @PageFor(USERS, 'cause')
  async showCause(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return causePage(await this.failures.showCause(request));
  }

  @PageFor(USERS, 'refusals.csv')
  download(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.failures.download(request);
  }

  @PageFor(OPERATORS, 'retry')
  async askToRetry(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return retryPage(await this.failures.askToRetry(request));
  }

  @FormFor(OPERATORS, 'retry')
  async retry(@AtSupplier() request: SupplierRequest, @Body() form: FormFields): Promise<Redirection> {
    await this.failures.retry(request, form);
    return { location: ADDRESSES.failures(request.supplier.code) };
  }
}
