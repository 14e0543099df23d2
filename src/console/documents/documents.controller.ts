import type { Readable } from 'node:stream';
import { Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Holds } from '../../budget/holds.js';
import { endOf } from '../../common/stream-response.js';
import { readSegment } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { CurrentViewer, type ConsoleRequest, type Viewer } from '../viewers/viewer.js';
import { documentAnswer } from './document-answer.js';
import { documentPathOf } from './document-path.js';
import { ViewedDocumentsService } from './viewed-documents.service.js';

/** The documents that the notes and statements of an account name (choice C6). */
@ConsoleController('suppliers/:code/accounts/:number/documents')
export class DocumentsController {
  constructor(private readonly documents: ViewedDocumentsService) {}

  @Get('*')
  @Holds('downloads')
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param() { code = '', number = '' }: Record<string, string>,
    @Req() request: ConsoleRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page | Readable> {
    const path = documentPathOf(request.url);
    const wanted = { code: readSegment(code), number: readSegment(number), path };
    return documentAnswer(await this.documents.open(viewer, wanted, endOf(reply)), wanted, reply);
  }
}
