import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ADDRESSES } from '../common/addresses.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { spanOf } from '../progress/span.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { changedAddress, settingsPage } from './settings.page.js';
import { SettingsService } from './settings.service.js';
import { isArchivedIn, statusOf } from './status-form.js';
import { supplierPage } from './supplier.page.js';
import { SupplierService } from './supplier.service.js';

/** One supplier: its summary, and its settings (choice C2). */
@ConsoleController('suppliers/:code')
export class SupplierController {
  constructor(
    private readonly suppliers: SupplierService,
    private readonly settings: SettingsService,
  ) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query('span') span: unknown,
  ): Promise<Page> {
    return supplierPage(await this.suppliers.summary(viewer, code, spanOf(span)));
  }

  @Get('settings')
  async showSettings(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query('changed') changed: unknown,
  ): Promise<Page> {
    return settingsPage(await this.settings.settings(viewer, code), changed);
  }

  @Post('status')
  async setStatus(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() form: unknown,
  ): Promise<Redirection> {
    const status = statusOf(form);
    await this.settings.setStatus(viewer, code, status);
    return { location: changedAddress(code, status) };
  }

  @Post('archive')
  async archive(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() form: unknown,
  ): Promise<Redirection> {
    await this.settings.archive(viewer, code, isArchivedIn(form));
    return { location: ADDRESSES.settings(code) };
  }
}
