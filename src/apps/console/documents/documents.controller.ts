import type { Readable } from 'node:stream';
import { Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Holds } from '../../../infrastructure/limits/holds.js';
import { endOf } from '../../../infrastructure/routes/stream-response.js';
import { readSegment } from '../common/parameters.js';
import { ConsoleController } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import type { ConsoleRequest } from '../signed-in/signed-in-user.js';
import { documentAnswer } from './document-answer.js';
import { documentPathOf } from './document-path.js';
import { ViewedDocumentsService } from './viewed-documents.service.js';

/** The documents that notes and statements of an account refer to (choice C6). */
@ConsoleController('suppliers/:code/accounts/:number/documents')
export class DocumentsController {
  constructor(private readonly documents: ViewedDocumentsService) {}

  @Get('*')
  @Holds('downloads')
  async show(
    @AtSupplier() { user, supplier }: SupplierRequest,
    @Param('number') accountNumber: string,
    @Req() request: ConsoleRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page | Readable> {
    const wanted = { supplier, accountNumber: readSegment(accountNumber), path: documentPathOf(request.url) };
    return documentAnswer(await this.documents.open(user, wanted, endOf(reply)), wanted, reply);
  }
}
