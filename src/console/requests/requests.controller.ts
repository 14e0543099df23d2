import { Get, Query } from '@nestjs/common';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { requestsPage } from './requests.page.js';
import { RequestsService } from './requests.service.js';

/** The import requests as they arrive (choice C2). */
@ConsoleController('requests')
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @Get()
  async show(@CurrentViewer() viewer: Viewer, @Query('supplier') supplier: unknown): Promise<Page> {
    const code = typeof supplier === 'string' && supplier !== '' ? supplier : undefined;
    return requestsPage(await this.requests.list(viewer, code));
  }
}
