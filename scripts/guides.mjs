// node scripts/guides.mjs FOLDER: makes the pages of the guides for the build in FOLDER, which has the list of them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Marked } from 'marked';
import { ROOT } from './prepare.mjs';

const [folder] = process.argv.slice(2);
const load = (path) => import(pathToFileURL(join(folder, path)).href);
const { GUIDES, builtGuide } = await load('src/http/docs/guides.js');
const { docsPage } = await load('src/http/docs/docs-page.js');

/** Files of the project that the service shows, beside the guides. */
const SHOWN = Object.fromEntries(
  [...GUIDES.map(({ source, address }) => [source, address])].concat(
    ['openapi.json', 'platform.json', 'schema.graphql'].map((name) => [`contract/${name}`, name]),
  ),
);

for (const guide of GUIDES) {
  const text = readFileSync(join(ROOT, guide.source), 'utf8');
  const [, title] = /^# (.+)$/m.exec(text);
  const path = join(folder, builtGuide(guide));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, docsPage(title, rendered(text, guide)));
}

function rendered(text, { source }) {
  const slugs = new Map();
  const renderer = {
    heading({ tokens, depth, text: written }) {
      const id = slugOf(written, slugs);
      return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const target = targetOf(href, source);
      return target === undefined ? content : `<a href="${target}">${content}</a>`;
    },
  };
  return new Marked({ renderer }).parse(text);
}

/** The anchor of a heading, as GitHub makes it: the links between the guides are written for it. */
function slugOf(heading, slugs) {
  const slug = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** The address of what a guide links to; undefined for a file that the service does not show. */
function targetOf(href, source) {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const address = SHOWN[posix.join(posix.dirname(source), path)];
  return address === undefined ? undefined : `/docs/${address}${anchor === undefined ? '' : `#${anchor}`}`;
}
