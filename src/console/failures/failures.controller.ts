import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { csvAnswer } from '../common/csv-answer.js';
import type { FormFields, SentQuery } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { accountsOfCausePage } from './accounts-of-cause.page.js';
import { failuresPage } from './failures.page.js';
import { FailuresService } from './failures.service.js';

/** The failures of a supplier (choices C2, C9). */
@ConsoleController('suppliers/:code/failures')
export class FailuresController {
  constructor(private readonly failures: FailuresService) {}

  @Get()
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return failuresPage(await this.failures.show(viewer, code, query));
  }

  @Get(':source')
  async showAccounts(
    @CurrentViewer() viewer: Viewer,
    @Param() { code = '', source = '' }: Record<string, string>,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return accountsOfCausePage(await this.failures.listAccounts(viewer, { code, source, query }));
  }

  @Get(':source.csv')
  async download(
    @CurrentViewer() viewer: Viewer,
    @Param() { code = '', source = '' }: Record<string, string>,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    const { fileName, records } = await this.failures.download(viewer, { code, source, query });
    return csvAnswer(reply, fileName, records);
  }

  @Post('retry')
  async retry(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() form: FormFields,
  ): Promise<Redirection> {
    return { location: withQuery(ADDRESSES.failures(code), await this.failures.retry(viewer, code, form)) };
  }
}
