import { Readable } from 'node:stream';
import { Get, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../common/errors.js';
import { logError } from '../../common/log-error.js';
import { abortOnError } from '../../common/stream-response.js';
import { StorageError } from '../../documents/document-store.js';
import type { OpenDocument } from '../../documents/document-reader.js';
import { readSegment } from '../account/account-query.js';
import { ConsoleController } from '../console-controller.js';
import type { Page } from '../page.js';
import { CurrentViewer, type ConsoleRequest, type Viewer } from '../viewers/viewer.js';
import { documentPathOf } from './document-path.js';
import { missingDocumentPage, storeAwayPage } from './document-pages.js';
import { ViewedDocumentsService, type WantedDocument } from './viewed-documents.service.js';

/** The documents that the notes and statements of an account name (choice C6). */
@ConsoleController('suppliers/:code/accounts/:number/documents')
export class DocumentsController {
  constructor(private readonly documents: ViewedDocumentsService) {}

  @Get('*')
  async show(
    @CurrentViewer() viewer: Viewer,
    @Param() { code = '', number = '' }: Record<string, string>,
    @Req() request: ConsoleRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Page | Readable> {
    const path = documentPathOf(request.url);
    const wanted = { code: readSegment(code), number: readSegment(number), path };
    const gone = new AbortController();
    reply.raw.once('close', () => {
      gone.abort();
    });
    try {
      const document = await this.documents.open(viewer, wanted, gone.signal);
      return document ? this.send(document, wanted, reply) : missingDocumentPage(wanted);
    } catch (cause) {
      if (!(cause instanceof StorageError)) throw cause;
      logError(new AppError('service_unavailable', { cause }), request);
      return storeAwayPage(wanted);
    }
  }

  /** A document may be made by anybody, so it runs nothing, whatever it contains. */
  private send(document: OpenDocument, { path }: WantedDocument, reply: FastifyReply): Readable {
    const { isPdf, size, bytes } = document;
    const name = encodeExtended(path.slice(path.lastIndexOf('/') + 1));
    void reply.headers({
      'content-security-policy': 'sandbox',
      'content-type': isPdf ? 'application/pdf' : 'application/octet-stream',
      'content-disposition': `${isPdf ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`,
      'content-length': String(size),
    });
    const isWanted = reply.request.method !== 'HEAD';
    return Readable.from(isWanted ? abortOnError(bytes, reply) : closed(bytes));
  }
}

/** Nothing; what was opened is closed. */
async function* closed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const _first of bytes) return;
}

/** A value of a header's parameter with an asterisk (RFC 8187): only the characters that it may have stand for themselves. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
