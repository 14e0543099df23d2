import { ConsoleController, PageFor } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { USERS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import { activityPage } from './activity.page.js';
import { ActivityService } from './activity.service.js';

/** The activity of a supplier (choice C2). */
@ConsoleController('suppliers/:code/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @PageFor(USERS)
  async show(@AtSupplier() request: SupplierRequest): Promise<Page> {
    return activityPage(await this.activity.page(request));
  }
}
