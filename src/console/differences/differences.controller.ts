import { Get, Param, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { csvAnswer } from '../common/csv-answer.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { differencesPage } from './differences.page.js';
import { DifferencesService } from './differences.service.js';

/** The accounts of a supplier that differ from their control totals (choices C10, V6). */
@ConsoleController('suppliers/:code')
export class DifferencesController {
  constructor(private readonly differences: DifferencesService) {}

  @Get('differences')
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return differencesPage(await this.differences.page(viewer, readSegment(code), query));
  }

  @Get('differences.csv')
  async download(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    return csvAnswer(reply, await this.differences.download(viewer, readSegment(code), query));
  }
}
