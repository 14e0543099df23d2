import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../../infrastructure/errors/errors.js';
import { logError } from '../../../infrastructure/log/log-error.js';
import { abortOnError } from '../../../infrastructure/routes/stream-response.js';
import type { OpenDocument } from '../../../documents/document-reader.js';
import { StorageError } from '../../../documents/document-store.js';
import { ADDRESSES } from '../common/addresses.js';
import type { Page } from '../layout/page.js';
import type { DocumentOutcome, WantedDocument } from './viewed-documents.service.js';

/** The answer to a request for a document: its bytes, or a page that says why there are none (choice C6). */
export function documentAnswer(
  outcome: DocumentOutcome,
  wanted: WantedDocument,
  reply: FastifyReply,
): Page | Readable {
  if (outcome === undefined) return noDocumentPage(wanted, 404);
  if (!(outcome instanceof StorageError)) return bytesOf(outcome, wanted, reply);
  logError(new AppError('service_unavailable', { cause: outcome }), reply.request);
  return noDocumentPage(wanted, 503);
}

/** A document may come from anybody, so the sandbox runs nothing in it. */
function bytesOf(
  { isPdf, size, bytes }: OpenDocument,
  { path }: WantedDocument,
  reply: FastifyReply,
): Readable {
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

/** Yields nothing and closes the opened document. */
async function* closed(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const _first of bytes) return;
}

/** The value of a header parameter with an asterisk (RFC 8187): all characters are encoded except those that the RFC allows. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Says why a document that the account refers to is not shown, and leads back to the account.
 *
 * @param status 404 when the store does not have it, 503 when the store does not answer
 */
function noDocumentPage({ supplier, accountNumber, path }: WantedDocument, status: 404 | 503): Page {
  return {
    title: status === 404 ? 'The document is not in the store yet' : 'The document store does not answer',
    status,
    body: (
      <>
        {status === 404 ? (
          <p>
            The account refers to <span class="text">{path}</span>, but it is not in the document store of
            this service. It is shown here as soon as it is uploaded.
          </p>
        ) : (
          <p>It is not known whether the document is there. Try again in a moment.</p>
        )}
        <p>
          <a href={ADDRESSES.account(supplier.code, accountNumber)}>Account {accountNumber}</a>
        </p>
      </>
    ),
  };
}
