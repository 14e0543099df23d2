// Renders Markdown as HTML: the guides, and the descriptions in the OpenAPI documents.
import { posix } from 'node:path';
import { Marked, Renderer } from 'marked';
import { html, raw } from './page.mjs';

/** A line of links to headings of the same page. It is dropped, because every page has a table of contents at its side. */
const CONTENTS = /^(?:Contents: |- )?(?:\[[^\]]+\]\(#[^)]+\)[\s·,:-]*)+$/;

/**
 * @param {string} source the project file that the text's links are relative to
 * @param {Map} shown the published files by path, with their `address` below /docs/, their `name`, and the `part` of the page that every
 *   link to them leads to, if there is only one
 */
export function readerOf(source, shown) {
  const renderer = {
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const { target, name } = targetOf(href, source, shown);
      // The project's files link to a file by its name; a page links to it by its title.
      const title = /^[\w.-]+\.md$/.test(text) ? (name ?? text) : text;
      return target === undefined ? title : `<a href="${target}">${title}</a>`;
    },
    // Scrolling elements must be reachable with the keyboard.
    code: ({ text }) => `${codeBlock(text)}\n`,
    table(token) {
      return `${scrolling(raw(Renderer.prototype.table.call(this, token)))}\n`;
    },
  };
  const marked = new Marked({ renderer });
  return {
    block: (text = '') => raw(marked.parse(text)),
    inline: (text = '') => raw(marked.parseInline(text)),
    page: (text) => pageOf(marked, text),
  };
}

export const codeBlock = (text) => html`<pre tabindex="0"><code>${text}</code></pre>`;

export const scrolling = (table) =>
  html`<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>`;

/** The parts of a text: its title, if any, the HTML below it, and the other headings with their anchors. */
function pageOf(marked, text) {
  const slugs = new Map();
  const tokens = marked.lexer(text).filter(({ raw: written }) => !CONTENTS.test(written.trim()));
  const headings = [];
  const parts = tokens.map((token) => {
    const shown = marked.parser([token.type === 'heading' ? { ...token, type: 'text' } : token]);
    if (token.type !== 'heading') return raw(shown);
    const [{ depth }, id] = [token, slugOf(token.text, slugs)];
    headings.push({ depth, id, text: raw(shown.replaceAll(/<[^>]+>/g, '')) });
    return depth > 1 && raw(`<h${depth} id="${id}"><a href="#${id}">${shown}</a></h${depth}>\n`);
  });
  const [title] = headings.filter(({ depth }) => depth === 1);
  return { title: title?.text, body: html`${parts}`, headings: headings.filter(({ depth }) => depth > 1) };
}

/** The anchor of a heading as GitHub generates it, because the links between the guides rely on that. */
function slugOf(heading, slugs) {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** The address and name of a link's target; no address for a file that is not published. */
function targetOf(href, source, shown) {
  if (/^(?:https?:|#|\/)/.test(href)) return { target: href };
  const [path, anchor] = href.split('#');
  const found = shown.get(posix.join(posix.dirname(source), path));
  if (found === undefined) return {};
  const { address, name, part = anchor } = found;
  return { target: `/docs/${address}${part === undefined ? '' : `#${part}`}`, name };
}
