import { Body, Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { csvAnswer } from '../common/csv-answer.js';
import { readSegment, type FormFields, type SentQuery } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { ConsoleAnswer, Page } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { accountFilterOf } from './accounts-query.js';
import { accountsPage, answerToRetry } from './accounts.page.js';
import { AccountsService } from './accounts.service.js';

/** The accounts of a supplier (choice C10). */
@ConsoleController('suppliers/:code')
export class AccountsController {
  constructor(private readonly accounts: AccountsService) {}

  @Get('accounts')
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return accountsPage(await this.accounts.page(viewer, readSegment(code), query));
  }

  @Get('accounts.csv')
  async download(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    return csvAnswer(reply, await this.accounts.download(viewer, readSegment(code), query));
  }

  /** Asks first (choice C9). The filters of the list stay in the address. */
  @Post('accounts')
  async retry(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Body() form: FormFields,
  ): Promise<ConsoleAnswer> {
    const filter = accountFilterOf(query);
    return answerToRetry(filter, await this.accounts.retry(viewer, readSegment(code), form), form);
  }
}
