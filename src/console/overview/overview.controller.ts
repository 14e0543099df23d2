import { Get, Query } from '@nestjs/common';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { spanOf } from '../progress/span.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { overviewPage } from './overview.page.js';
import { OverviewService } from './overview.service.js';

/** How far each supplier's migration is (choice C2). */
@ConsoleController('')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  async show(@CurrentViewer() viewer: Viewer, @Query('span') span: unknown): Promise<Page> {
    return overviewPage(await this.overview.overview(viewer, spanOf(span)));
  }
}
