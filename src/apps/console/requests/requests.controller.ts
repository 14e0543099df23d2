import { Param, Query } from '@nestjs/common';
import type { SentQuery } from '../common/parameters.js';
import { ConsoleController, PageFor } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { USERS } from '../signed-in/session.guard.js';
import { CurrentUser, type SignedInUser } from '../signed-in/signed-in-user.js';
import { requestPage } from './request.page.js';
import { requestsPage } from './requests.page.js';
import { RequestsService } from './requests.service.js';

/** The import requests as they arrive (choices C2, C11). */
@ConsoleController('requests')
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @PageFor(USERS)
  async list(@CurrentUser() user: SignedInUser, @Query() query: SentQuery): Promise<Page> {
    return requestsPage(await this.requests.list(user, query));
  }

  @PageFor(USERS, ':id')
  async show(@CurrentUser() user: SignedInUser, @Param('id') id: string): Promise<Page> {
    return requestPage(id, await this.requests.find(user, id));
  }
}
