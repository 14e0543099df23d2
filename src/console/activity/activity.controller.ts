import { Get, Param, Query } from '@nestjs/common';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { activityPage } from './activity.page.js';
import { ActivityService } from './activity.service.js';

/** What was done with a supplier (choice C2). */
@ConsoleController('suppliers/:code/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return activityPage(await this.activity.page(viewer, readSegment(code), query));
  }
}
