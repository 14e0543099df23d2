// What is around each page below /docs/. Everything is plain HTML: no page has a script.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** HTML that is put into other HTML as it is. */
class Html {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** @param {string} text HTML that was made of Markdown */
export const raw = (text) => new Html(text);

/** A template whose values are escaped, unless they are HTML; a list is joined, and what is absent is left out. */
export function html(parts, ...values) {
  const texts = values.map((value) => [value].flat(Infinity).map(textOf).join(''));
  return raw(String.raw({ raw: parts }, ...texts));
}

function textOf(value) {
  if (value instanceof Html) return value.text;
  if (value === undefined || value === false) return '';
  return String(value).replaceAll(/[&<>"]/g, (character) => ENTITIES[character]);
}

/**
 * A whole page.
 *
 * @param page `address` below /docs/, `title`, `body`, and `headings` (`id`, `text`, `depth` from 2) for its contents
 * @param navigation groups of links: `[name, [{ address, name }]]`
 */
export function pageOf({ address, title, body, headings = [] }, navigation) {
  const contents = html`<ul>
    ${headings.map(({ id, text, depth }) => html`<li class="depth-${depth}"><a href="#${id}">${text}</a></li>`)}
  </ul>`;
  const item = (link) =>
    link.address === address
      ? html`<li>
          <a href="/docs/${link.address}" aria-current="page">${link.name}</a
          >${headings.length > 0 && contents}
        </li>`
      : html`<li><a href="/docs/${link.address}">${link.name}</a></li>`;
  return `${html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – data-import docs</title>
        <link rel="icon" href="/docs/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/docs.css" />
      </head>
      <body>
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <a href="/docs/">data-import docs</a>
          <a class="narrow" href="#pages">Contents</a>
          <a href="/">Service</a>
        </header>
        <main id="content">
          <h1>${title}</h1>
          ${body}
        </main>
        <nav id="pages" aria-label="Pages">
          ${navigation.map(
            ([name, links]) =>
              html`<p>${name}</p>
                <ul>
                  ${links.map(item)}
                </ul>`,
          )}
        </nav>
      </body>
    </html> `}`;
}
