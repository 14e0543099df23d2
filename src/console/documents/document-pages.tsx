import { ADDRESSES } from '../common/addresses.js';
import type { Page } from '../layout/page.js';
import type { WantedDocument } from './viewed-documents.service.js';

/** The account names the document, but the store does not have it. */
export function missingDocumentPage(wanted: WantedDocument): Page {
  return documentPage(wanted, {
    title: 'The document is not in the store yet',
    status: 404,
    body: (
      <p>
        The account refers to <span class="text">{wanted.path}</span>, but it is not in the document store of
        this service. It is shown here as soon as it is uploaded.
      </p>
    ),
  });
}

/** The store does not answer. */
export function storeAwayPage(wanted: WantedDocument): Page {
  return documentPage(wanted, {
    title: 'The document store does not answer',
    status: 503,
    body: <p>It is not known whether the document is there. Try again in a moment.</p>,
  });
}

/** With the way back to the account. */
function documentPage({ code, number }: WantedDocument, page: Page): Page {
  const body = (
    <>
      {page.body}
      <p>
        <a href={ADDRESSES.account(code, number)}>Account {number}</a>
      </p>
    </>
  );
  return { ...page, body };
}
