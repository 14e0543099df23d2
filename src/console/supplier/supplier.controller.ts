import { Body, Get, Param, Post, Query } from '@nestjs/common';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { spanOf } from '../progress/span.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { isArchivedIn, statusOf } from './status-form.js';
import { ADDRESSES } from '../common/addresses.js';
import { changedAddress, supplierPage } from './supplier.page.js';
import { SupplierService } from './supplier.service.js';

/** One supplier in detail (choice C2). */
@ConsoleController('suppliers/:code')
export class SupplierController {
  constructor(private readonly suppliers: SupplierService) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query('span') span: unknown,
    @Query('changed') changed: unknown,
  ): Promise<Page> {
    return supplierPage(await this.suppliers.details(viewer, code, spanOf(span)), changed);
  }

  @Post('status')
  async setStatus(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() form: unknown,
  ): Promise<Redirection> {
    const status = statusOf(form);
    await this.suppliers.setStatus(viewer, code, status);
    return { location: changedAddress(code, status) };
  }

  @Post('archive')
  async archive(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() form: unknown,
  ): Promise<Redirection> {
    await this.suppliers.archive(viewer, code, isArchivedIn(form));
    return { location: ADDRESSES.supplier(code) };
  }
}
