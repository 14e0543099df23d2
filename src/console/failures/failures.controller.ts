import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { csvAnswer } from '../common/csv-answer.js';
import type { FormFields, SentQuery } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { retryPage } from '../layout/retry-page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { causeAddress } from './cause-parts.js';
import { causePage } from './cause.page.js';
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

  @Get('cause')
  async showCause(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return causePage(await this.failures.showCause(viewer, code, query));
  }

  @Get('refusals.csv')
  async download(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    return csvAnswer(reply, await this.failures.download(viewer, code, query));
  }

  @Get('retry')
  async askToRetry(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    const question = await this.failures.askToRetry(viewer, code, query);
    const { cause } = question;
    return retryPage({
      ...{ question, part: 'failures', action: ADDRESSES.retry(code), fields: { cause } },
      above: { text: 'Failures', href: causeAddress(code, { source: 'imports', cause }, '30-days') },
    });
  }

  @Post('retry')
  async retry(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Body() form: FormFields,
  ): Promise<Redirection> {
    const hasBegun = await this.failures.retry(viewer, code, form);
    return { location: withQuery(ADDRESSES.failures(code), hasBegun ? {} : { busy: 'yes' }) };
  }
}
