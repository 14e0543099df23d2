import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { abortOnError } from '../../common/stream-response.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { FormFields } from '../common/parameters.js';
import type { Page, Redirection } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { failedAccountsPage, refusedAccountsPage } from './accounts.page.js';
import { FailureDownloadsService } from './downloads.service.js';
import type { SentQuery } from './failures-query.js';
import { failuresPage } from './failures.page.js';
import { FailuresService } from './failures.service.js';

/** What fails of a supplier (choices C2, C9). */
@ConsoleController('suppliers/:code/failures')
export class FailuresController {
  constructor(
    private readonly failures: FailuresService,
    private readonly downloads: FailureDownloadsService,
  ) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return failuresPage(await this.failures.show(viewer, code, query));
  }

  @Get('refusals')
  async showRefused(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return refusedAccountsPage(await this.failures.showRefused(viewer, code, query));
  }

  @Get('imports')
  async showFailed(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return failedAccountsPage(await this.failures.showFailed(viewer, code, query));
  }

  @Post('retry')
  async retry(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() { cause, number }: FormFields,
  ): Promise<Redirection> {
    const retried = await this.failures.retry(viewer, code, { cause, number });
    return { location: withQuery(ADDRESSES.failures(code), { retried: String(retried) }) };
  }

  @Get('refusals.csv')
  async downloadRefusals(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    const records = await this.downloads.listRefusals(viewer, code, query);
    return csvFile('refused-requests.csv', records, reply);
  }

  @Get('imports.csv')
  async downloadFailedImports(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    const records = await this.downloads.listFailedImports(viewer, code, query);
    return csvFile('failed-imports.csv', records, reply);
  }
}

function csvFile(name: string, records: AsyncIterable<string>, reply: FastifyReply): AsyncIterable<string> {
  void reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${name}"`,
  });
  return abortOnError(records, reply);
}
