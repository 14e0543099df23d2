import { Body } from '@nestjs/common';
import { ImportSuppliersService } from '../../../import-suppliers/import-suppliers.service.js';
import { ActivityService } from '../activity/activity.service.js';
import { ADDRESSES } from '../common/addresses.js';
import type { FormFields } from '../common/parameters.js';
import { ConsoleController, FormFor, PageFor } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { ProgressService } from '../progress/progress.service.js';
import { spanOf } from '../progress/span.js';
import { OPERATORS, USERS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import { settingsPage } from './settings.page.js';
import { SettingsService } from './settings.service.js';
import { isArchivedIn, statusOf } from './status-form.js';
import { supplierPage } from './supplier.page.js';

/** One supplier: its summary, and its settings (choice C2). */
@ConsoleController('suppliers/:code')
export class SupplierController {
  constructor(
    private readonly progress: ProgressService,
    private readonly activity: ActivityService,
    private readonly settings: SettingsService,
    private readonly suppliers: ImportSuppliersService,
  ) {}

  @PageFor(USERS)
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    const { user, supplier, query } = request;
    const shown = await this.progress.ofOne(user, supplier, spanOf(query.span));
    return supplierPage(user, shown, await this.activity.reasons(request, shown.progress.isUndone));
  }

  @PageFor(USERS, 'settings')
  async showSettings(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return settingsPage(await this.settings.settings(request));
  }

  @FormFor(OPERATORS, 'status')
  async setStatus(
    @AtSupplier() { user, supplier: { code } }: SupplierRequest,
    @Body() form: FormFields,
  ): Promise<Redirection> {
    const status = statusOf(form);
    await this.suppliers.change(code, { status }, user.recordedAs);
    return { location: ADDRESSES.settings(code, { changed: status }) };
  }

  @FormFor(OPERATORS, 'archive')
  async archive(@AtSupplier() request: SupplierRequest, @Body() form: FormFields): Promise<Redirection> {
    await this.settings.archive(request, isArchivedIn(form));
    return { location: ADDRESSES.settings(request.supplier.code) };
  }
}
