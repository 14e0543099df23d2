import { Get } from '@nestjs/common';
import { ConsoleController } from '../console-controller.js';
import type { Page } from '../page.js';
import { ViewedSuppliersService } from '../viewers/viewed-suppliers.service.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { overviewPage } from './overview.page.js';

/** How far each supplier's migration is (choice C2). */
@ConsoleController('')
export class OverviewController {
  constructor(private readonly suppliers: ViewedSuppliersService) {}

  @Get()
  async show(@CurrentViewer() viewer: Viewer): Promise<Page> {
    return overviewPage(await this.suppliers.list(viewer));
  }
}
