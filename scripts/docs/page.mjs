// The layout of the pages below /docs/. They are plain HTML without scripts.

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** HTML that is inserted into other HTML unescaped. */
class Html {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

/** @param {string} text HTML rendered from Markdown */
export const raw = (text) => new Html(text);

/** A template tag that escapes its values unless they are HTML. It joins lists and omits `undefined` and `false`. */
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
 * A complete page.
 *
 * @param page `address` below /docs/, `title`, `body`, and `headings` (`id`, `text`, `depth` from 2) for the table of contents
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
