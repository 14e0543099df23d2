import { Query } from '@nestjs/common';
import type { SentQuery } from '../common/parameters.js';
import { ConsoleController, PageFor } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { spanOf } from '../progress/span.js';
import { USERS } from '../signed-in/session.guard.js';
import { CurrentUser, type SignedInUser } from '../signed-in/signed-in-user.js';
import { overviewPage } from './overview.page.js';
import { OverviewService } from './overview.service.js';

/** The progress of each supplier's migration (choice C2). */
@ConsoleController('')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @PageFor(USERS)
  async show(@CurrentUser() user: SignedInUser, @Query() { span }: SentQuery): Promise<Page> {
    return overviewPage(await this.overview.overview(user, spanOf(span)));
  }
}
