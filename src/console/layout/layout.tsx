import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import type { Link, Page, Place } from './page.js';
import type { Viewer } from '../viewers/viewer.js';
import { PostForm } from './form.js';
import { PageContextProvider, usePageContext, type PageContext } from './page-context.js';

const NAVIGATION: readonly (Link & { readonly place: Place; readonly operatorsOnly?: true })[] = [
  { place: 'overview', text: 'Overview', href: ADDRESSES.overview },
  { place: 'requests', text: 'Requests', href: ADDRESSES.requests },
  { place: 'sessions', text: 'Sessions', href: ADDRESSES.sessions, operatorsOnly: true },
  { place: 'docs', text: 'Docs', href: ADDRESSES.docs },
];

/**
 * htmx must add no style to the page, evaluate nothing, and not close what is open in a part that updates by itself. An answer that
 * takes ten seconds counts as none.
 */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  defaultTimeout: 10_000,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open'],
});

/** A whole document. */
export function Layout({ page, context }: { page: Page; context: PageContext }): VNode {
  const { title, body, place, breadcrumbs = [] } = page;
  const { viewer } = context;
  return (
    <PageContextProvider value={context}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="htmx-config" content={HTMX_CONFIG} />
          <title>{`${title} – data-import`}</title>
          <link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="/console/assets/console.css" />
          <script src="/console/assets/htmx.js" defer />
          <script src="/console/assets/refresh.js" defer />
          <script src="/console/assets/copy.js" defer />
        </head>
        <body>
          <a class="skip" href="#content">
            Skip to content
          </a>
          <Header viewer={viewer} place={place} />
          <main id="content">
            {breadcrumbs.length > 0 && <Breadcrumbs links={breadcrumbs} />}
            <h1>{title}</h1>
            {body}
          </main>
        </body>
      </html>
    </PageContextProvider>
  );
}

/** The top of a page; without a session it has the name of the product only. */
function Header({ viewer, place }: { viewer: Viewer | undefined; place: Place | undefined }): VNode {
  return (
    <header class="top">
      <a class="product" href={ADDRESSES.overview}>
        data-import
      </a>
      {viewer && <Navigation viewer={viewer} place={place} />}
    </header>
  );
}

function Navigation({ viewer, place }: { viewer: Viewer; place: Place | undefined }): VNode {
  const { hasDocs } = usePageContext();
  const places = NAVIGATION.filter(
    ({ operatorsOnly, place: of }) =>
      (operatorsOnly !== true || viewer.kind === 'operator') && (of !== 'docs' || hasDocs),
  );
  return (
    <>
      <nav aria-label="Main">
        <ul>
          {places.map((link) => (
            <li key={link.place}>
              <a href={link.href} aria-current={link.place === place ? 'page' : undefined}>
                {link.text}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form class="search" role="search" action={ADDRESSES.search}>
        <input
          type="search"
          name="q"
          placeholder="Number or id"
          aria-label="Account number, transaction, statement or request id"
          required
        />
        <button>Find</button>
      </form>
      <div class="viewer">
        <span>{viewer.name}</span>
        <PostForm action={ADDRESSES.signOut}>
          <button class="plain">Sign out</button>
        </PostForm>
      </div>
    </>
  );
}

function Breadcrumbs({ links }: { links: readonly Link[] }): VNode {
  return (
    <nav class="breadcrumbs" aria-label="Breadcrumb">
      <ol>
        {links.map(({ text, href }) => (
          <li key={href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}
