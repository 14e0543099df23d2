import type { VNode } from 'preact';
import { ADDRESSES, PLACES, SUPPLIER_PARTS } from '../common/addresses.js';
import type { Link, Page } from './page.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import { PostForm } from './form.js';
import { PageContextProvider, usePageContext, type PageContext } from './page-context.js';

/**
 * htmx must not add styles to the page or evaluate anything. When a part updates itself, htmx must not close what is open
 * or open what was closed. A request without an answer after ten seconds has failed.
 */
const HTMX_CONFIG = JSON.stringify({
  includeIndicatorCSS: false,
  defaultTimeout: 10_000,
  noSwap: [204, 304, '4xx', '5xx'],
  morphIgnore: ['data-htmx-powered', 'open', 'data-closed'],
});

/** The complete HTML document. */
export function Layout({ page, context }: { page: Page; context: PageContext }): VNode {
  const { title, body, breadcrumbs = [], supplier } = page;
  const { user } = context;
  return (
    <PageContextProvider value={context}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="htmx-config" content={HTMX_CONFIG} />
          <title>{documentTitle(page)}</title>
          <link rel="icon" href="/console/assets/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href="/console/assets/console.css" />
          <script src="/console/assets/htmx.js" defer />
          <script src="/console/assets/refresh.js" defer />
          <script src="/console/assets/copy.js" defer />
          <script src="/console/assets/times.js" defer />
        </head>
        <body>
          <a class="skip" href="#content">
            Skip to content
          </a>
          <Header user={user} page={page} />
          <main id="content">
            {breadcrumbs.length > 0 && <Breadcrumbs links={breadcrumbs} />}
            {supplier && <SupplierNavigation {...supplier} />}
            <h1>{title}</h1>
            {body}
          </main>
          {user && <footer>Times in {context.timeZone}</footer>}
        </body>
      </html>
    </PageContextProvider>
  );
}

/** The title of a tab or a bookmark. A part of a supplier includes the supplier's name. */
function documentTitle({ title, supplier }: Page): string {
  return [title, ...(supplier && supplier.name !== title ? [supplier.name] : []), 'data-import'].join(' – ');
}

/** The top of a page. Without a session it has only the product name. */
function Header({ user, page }: { user: SignedInUser | undefined; page: Page }): VNode {
  return (
    <header class="top">
      <a class="product" href={ADDRESSES.overview}>
        data-import
      </a>
      {user && <Navigation user={user} page={page} />}
    </header>
  );
}

/** Everything but the search is in a menu, which is always open in a wide window (console.css). It opens without a script. */
function Navigation({ user, page: { place, found } }: { user: SignedInUser; page: Page }): VNode {
  const { hasDocs } = usePageContext();
  const visible = PLACES.filter(
    ([name, { operatorsOnly }]) =>
      (operatorsOnly !== true || user.kind === 'operator') && (name !== 'docs' || hasDocs),
  );
  return (
    <>
      <form class="search" role="search" action={ADDRESSES.search}>
        <input
          {...{ id: 'find', type: 'search', name: 'q', required: true, value: found }}
          placeholder="Number, id, supplier, key"
          aria-label="Account number, supplier, API key, or id of a run, request, transaction or statement"
          accesskey="/"
        />
        <button>Find</button>
      </form>
      <button type="button" class="plain menu" popovertarget="menu">
        Menu
      </button>
      <div id="menu" popover="auto">
        <nav aria-label="Main">
          <Links
            links={visible.map(([name, { text, address }]) => ({
              text,
              href: address,
              isHere: name === place,
            }))}
          />
        </nav>
        <div class="viewer">
          <span>{user.name}</span>
          <PostForm action={ADDRESSES.signOut}>
            <button class="plain">Sign out</button>
          </PostForm>
        </div>
      </div>
    </>
  );
}

/** Links from each page of a supplier to the others. */
function SupplierNavigation({ code, name, part }: NonNullable<Page['supplier']>): VNode {
  const parts = Object.entries(SUPPLIER_PARTS);
  return (
    <nav class="supplier-parts" aria-label={`Supplier ${name}`}>
      <Links
        links={parts.map(([one, { text, address }]) => ({ text, href: address(code), isHere: one === part }))}
      />
    </nav>
  );
}

function Links({ links }: { links: readonly (Link & { readonly isHere: boolean })[] }): VNode {
  return (
    <ul>
      {links.map(({ text, href, isHere }) => (
        <li key={href}>
          <a href={href} aria-current={isHere ? 'page' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
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
