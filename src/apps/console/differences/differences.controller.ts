import { Get } from '@nestjs/common';
import type { CsvFile } from '../common/csv-answer.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import { differencesPage } from './differences.page.js';
import { DifferencesService } from './differences.service.js';

/** The accounts of a supplier that differ from their control totals (choices C10, V6). */
@ConsoleController('suppliers/:code')
export class DifferencesController {
  constructor(private readonly differences: DifferencesService) {}

  @Get('differences')
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return differencesPage(await this.differences.page(request));
  }

  @Get('differences.csv')
  download(@AtSupplier() request: SupplierRequest): Promise<CsvFile> {
    return this.differences.download(request);
  }
}
