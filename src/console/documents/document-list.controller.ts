import { Get, Param, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { csvAnswer } from '../common/csv-answer.js';
import { readSegment, type SentQuery } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page, Redirection } from '../layout/page.js';
import { CurrentViewer, type Viewer } from '../viewers/viewer.js';
import { documentListPage } from './document-list.page.js';
import { DocumentListService } from './document-list.service.js';

/** The documents of a supplier that were not seen in the store (choice F5). */
@ConsoleController('suppliers/:code')
export class DocumentListController {
  constructor(private readonly documents: DocumentListService) {}

  @Get('documents')
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
  ): Promise<Page> {
    return documentListPage(await this.documents.page(viewer, readSegment(code), query));
  }

  @Get('documents.csv')
  async download(
    @CurrentViewer() viewer: Viewer,
    @Param('code') code: string,
    @Query() query: SentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AsyncIterable<string>> {
    return csvAnswer(reply, await this.documents.download(viewer, readSegment(code), query));
  }

  @Post('documents')
  async lookUp(@CurrentViewer() viewer: Viewer, @Param('code') code: string): Promise<Redirection> {
    const isBegun = await this.documents.lookUp(viewer, readSegment(code));
    return { location: withQuery(ADDRESSES.documents(code), { busy: isBegun ? undefined : 'yes' }) };
  }
}
