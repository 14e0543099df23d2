import type { Readable } from 'node:stream';
import { Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Holds } from '../../../infrastructure/limits/holds.js';
import { endOf } from '../../../infrastructure/routes/stream-response.js';
import { PageNotFound } from '../common/page-errors.js';
import { readSegment } from '../common/parameters.js';
import { ConsoleController, PageFor } from '../layout/console-controller.js';
import type { Page } from '../layout/page.js';
import { USERS } from '../signed-in/session.guard.js';
import { AtSupplier, type SupplierRequest } from '../signed-in/supplier-request.js';
import type { ConsoleRequest } from '../signed-in/signed-in-user.js';
import { documentAnswer } from './document-answer.js';
import { ViewedDocumentsService } from './viewed-documents.service.js';

/** The documents that notes and statements of an account refer to (choice C6). */
@ConsoleController('suppliers/:code/accounts/:number/documents')
export class DocumentsController {
  constructor(private readonly documents: ViewedDocumentsService) {}

  @PageFor(USERS, '*')
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

/** `/console/suppliers/CODE/accounts/NUMBER/documents/` in segments. */
const SEGMENTS_BEFORE = 7;

/**
 * The path of a document from the address of a request, whose segments are percent-encoded. It is read from the address
 * itself, because the router has decoded the whole path and an encoded slash would look like a separator.
 *
 * @param url of the request, which the router has matched
 * @throws PageNotFound when it encodes no path that can be stored
 * Source: choices C6, F2.
 */
function documentPathOf(url: string): string {
  const [address = ''] = url.split('?', 1);
  const segments = address.split('/').slice(SEGMENTS_BEFORE).map(decode);
  if (segments.some((segment) => segment === '' || /[/\0]/.test(segment))) throw new PageNotFound();
  return segments.join('/');
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new PageNotFound();
  }
}
