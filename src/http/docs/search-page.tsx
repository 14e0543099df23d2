import type { VNode } from 'preact';
import type { DocsPage } from './docs-layout.js';
import { searchDocs, type DocsHit, type DocsHits } from './docs-search.js';

/** The page of what was found in the guides and among the endpoints. It needs no script. */
export async function searchPage(query: string): Promise<DocsPage> {
  const found = await searchDocs(query);
  return {
    address: 'search',
    title: 'Search',
    query,
    body: (
      <>
        <p role="status">{summaryOf(query, found)}</p>
        <ol class="hits">
          {found.hits.map((hit) => (
            <Hit key={hit.section.address} {...hit} />
          ))}
        </ol>
      </>
    ),
  };
}

function summaryOf(query: string, { total, hits }: DocsHits): string {
  if (query.trim() === '')
    return 'Enter words of a guide, an error code, a field or the path of an endpoint.';
  if (total === 0) return `No results for “${query}”.`;
  if (total > hits.length) return `The first ${hits.length} of ${total} results for “${query}”.`;
  return `${total} ${total === 1 ? 'result' : 'results'} for “${query}”.`;
}

function Hit({ section: { address, heading, page }, snippet }: DocsHit): VNode {
  return (
    <li>
      <h2>
        <a href={address}>{heading}</a>
      </h2>
      <p class="muted">{page}</p>
      <p>{snippet.map(({ text, isMatch }) => (isMatch ? <mark>{text}</mark> : text))}</p>
    </li>
  );
}
