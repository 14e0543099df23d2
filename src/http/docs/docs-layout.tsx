import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import type { Heading } from './docs-content.js';
import { GUIDES, REFERENCES, type Guide } from './guides.js';

/** A page below `/docs/`; what is around its body is the same on all of them. */
export interface DocsPage {
  /** Its address below `/docs/`. */
  readonly address: string;
  readonly title: string;
  readonly body?: ComponentChildren;
  /** A body that is HTML already. */
  readonly html?: string;
  /** Of its table of contents. */
  readonly headings?: readonly Heading[];
  /** Beside those of every page. */
  readonly styleSheets?: readonly string[];
  readonly scripts?: readonly string[];
  /** What is searched for. */
  readonly query?: string;
}

interface Link {
  readonly name: string;
  readonly address: string;
}

const isOfLoader = ({ source }: Guide): boolean =>
  source.startsWith('packages/') || source.includes('migrating');

/** The pages in the order of the navigation. */
const NAVIGATION: readonly (readonly [group: string, links: readonly Link[]])[] = [
  ['API reference', REFERENCES],
  ['Guides', GUIDES.filter((guide) => !isOfLoader(guide))],
  ['Loader', [{ name: 'Download', address: 'loader/' }, ...GUIDES.filter(isOfLoader)]],
  ['Files', ['openapi.json', 'platform.json', 'schema.graphql'].map((name) => ({ name, address: name }))],
];

/**
 * A whole document.
 *
 * @param hasConsole whether the console is there, to which the header then leads
 */
export function renderDocs(page: DocsPage, hasConsole: boolean): string {
  return `<!doctype html>${renderToString(<Layout page={page} hasConsole={hasConsole} />)}\n`;
}

function Layout({ page, hasConsole }: { page: DocsPage; hasConsole: boolean }): VNode {
  const { address, title, body, html, headings = [], styleSheets = [], scripts = [], query } = page;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} – data-import docs`}</title>
        <link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml" />
        {['docs.css', ...styleSheets].map((name) => (
          <link key={name} rel="stylesheet" href={`/docs/assets/${name}`} />
        ))}
        {scripts.map((name) => (
          <script key={name} src={`/docs/assets/${name}`} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Header query={query} hasConsole={hasConsole} />
        <div class="columns">
          <main id="content">
            <h1>{title}</h1>
            {headings.length > 0 && <Contents headings={headings} />}
            {body}
            {html !== undefined && <div class="guide" dangerouslySetInnerHTML={{ __html: html }} />}
          </main>
          <Navigation address={address} />
        </div>
      </body>
    </html>
  );
}

function Header({ query, hasConsole }: { query: string | undefined; hasConsole: boolean }): VNode {
  return (
    <header class="top">
      <a class="product" href="/docs/">
        data-import docs
      </a>
      <form class="search" role="search" action="/docs/search">
        <input
          {...{ type: 'search', name: 'q', value: query, placeholder: 'Search docs', required: true }}
          aria-label="Search guides and endpoints"
        />
        <button>Search</button>
      </form>
      <nav aria-label="Main">
        <ul>
          <li class="narrow">
            <a href="#pages">Pages</a>
          </li>
          {hasConsole && (
            <li>
              <a href="/console/">Console</a>
            </li>
          )}
        </ul>
      </nav>
    </header>
  );
}

/** Beside the page in a wide window, and below it in a narrow one. */
function Navigation({ address }: { address: string }): VNode {
  return (
    <nav id="pages" class="pages" aria-label="Pages">
      {NAVIGATION.map(([group, links]) => (
        <div key={group}>
          <p>{group}</p>
          <ul>
            {links.map((link) => (
              <li key={link.address}>
                <a
                  href={`/docs/${link.address}`}
                  aria-current={link.address === address ? 'page' : undefined}
                >
                  {link.name}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Contents({ headings }: { headings: readonly Heading[] }): VNode {
  return (
    <nav class="contents" aria-label="On this page">
      <p>On this page</p>
      <ul>
        {headings.map(({ id, text, depth }) => (
          <li key={id} class={depth > 2 ? 'deeper' : undefined}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
