import type { VNode } from 'preact';
import { contentOf, readContent, type ReferenceContent } from './docs-content.js';
import type { DocsPage } from './docs-layout.js';
import type { Reference } from './guides.js';

/** The page of an interface: Swagger UI with its document, or every operation as text where no script runs. */
export async function referencePage({ address, document, name }: Reference): Promise<DocsPage> {
  const { references } = await readContent();
  return {
    address,
    title: name,
    body: <Body document={document} content={contentOf(references, address)} />,
    styleSheets: ['reference.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
  };
}

/** The script, the style and the documents have addresses of their own, so the policy of the page allows nothing within it. */
function Body({ document, content }: { document: string; content: ReferenceContent }): VNode {
  return (
    <>
      <p>
        To try an operation, obtain a token as described below, choose Authorize, and paste the token.
        Requests are carried out: a POST stores data unless <code>dry_run</code> is <code>true</code>.
      </p>
      <div id="swagger-ui" data-document={`/docs/${document}`} />
      <noscript>
        <p class="notice">Operations can be tried here only with JavaScript.</p>
        <section class="guide" dangerouslySetInnerHTML={{ __html: content.introduction }} />
        <h2>Operations</h2>
        {content.operations.map(({ id, method, path, summary, description }) => (
          <section key={id} id={id} class="card">
            <h3>
              <code>
                {method} {path}
              </code>
            </h3>
            <p>{summary}</p>
            <div class="guide" dangerouslySetInnerHTML={{ __html: description }} />
          </section>
        ))}
      </noscript>
    </>
  );
}
