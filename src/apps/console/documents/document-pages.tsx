import { ADDRESSES } from '../common/addresses.js';
import type { Page } from '../layout/page.js';
import type { WantedDocument } from './viewed-documents.service.js';

/**
 * Says why a document that the account refers to is not shown, and leads back to the account.
 *
 * @param status 404 when the store does not have it, 503 when the store does not answer
 */
export function noDocumentPage({ supplier, accountNumber, path }: WantedDocument, status: 404 | 503): Page {
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
