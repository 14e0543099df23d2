// node scripts/docs.mjs FOLDER: makes the content of the pages below /docs/ for the build in FOLDER, which has the lists of them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Marked, Renderer } from 'marked';
import { ROOT } from './prepare.mjs';

const [folder] = process.argv.slice(2);
const lists = pathToFileURL(join(folder, 'src/http/docs/guides.js')).href;
const { CONTENT_FILE, GUIDES, REFERENCES } = await import(lists);

/** Files of the project that the service shows, with their addresses; guides have names. */
const SHOWN = new Map([
  ...GUIDES.map(({ source, address, name }) => [source, { address, name }]),
  ...['openapi.json', 'platform.json', 'schema.graphql'].map((name) => [
    `contract/${name}`,
    { address: name },
  ]),
]);

/** A line of links to the headings of its own page, which a page of the service has at its side. */
const CONTENTS = /^(?:Contents: |- )?(?:\[[^\]]+\]\(#[^)]+\)[\s·,:-]*)+$/;

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const guides = GUIDES.map(guideOf);
const references = REFERENCES.map(referenceOf);
const byAddress = (all) => Object.fromEntries(all.map(({ address, content }) => [address, content]));
const content = {
  guides: byAddress(guides),
  references: byAddress(references),
  sections: [...guides, ...references].flatMap(({ sections }) => sections),
};
writeFileSync(join(folder, CONTENT_FILE), JSON.stringify(content));

function guideOf({ address, source, name }) {
  const [markdown, slugs] = [markdownOf(source), new Map()];
  const tokens = markdown
    .lexer(readFileSync(join(ROOT, source), 'utf8'))
    .filter(({ raw }) => !CONTENTS.test(raw.trim()));
  const parts = [];
  for (const token of tokens) {
    if (token.type === 'heading') parts.push({ heading: token, tokens: [] });
    else parts.at(-1).tokens.push(token);
  }
  const shown = parts.map(({ heading }) => markdown.parser([{ ...heading, type: 'text' }]));
  const headings = parts.map(({ heading: { text, depth } }, index) => ({
    id: slugOf(text, slugs),
    text: textOf(shown[index]),
    depth,
  }));
  const bodies = parts.map((part) => markdown.parser(part.tokens));
  const [{ text: title }, ...others] = headings;
  const sections = headings.map(({ id, text }, index) => ({
    address: `/docs/${address}${index === 0 ? '' : `#${id}`}`,
    page: name,
    heading: text,
    text: textOf(bodies[index]),
  }));
  const body = headings.map(({ id, depth }, index) => {
    const heading = `<h${depth} id="${id}"><a href="#${id}">${shown[index]}</a></h${depth}>\n`;
    return `${index === 0 ? '' : heading}${bodies[index]}`;
  });
  return { address, content: { title, body: body.join(''), headings: others }, sections };
}

function referenceOf({ address, document, name }) {
  const markdown = markdownOf(`contract/${document}`);
  const { info, paths, components } = JSON.parse(readFileSync(join(ROOT, 'contract', document), 'utf8'));
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const operations = found.map(({ path, method, operation }) => ({
    id: `/${operation.tags[0].replaceAll(' ', '%20')}/${operation.operationId}`,
    method: method.toUpperCase(),
    path,
    summary: operation.summary,
    description: markdown.parse(operation.description ?? ''),
  }));
  const sections = operations.map(({ id, method, path, summary, description }, index) => ({
    address: `/docs/${address}#${id}`,
    page: name,
    heading: `${method} ${path}`,
    text: [summary, textOf(description), ...fieldsOf(found[index].operation, components)].join(' '),
  }));
  const introduction = markdown.parse(info.description);
  const about = { address: `/docs/${address}`, page: name, heading: info.title, text: textOf(introduction) };
  return { address, content: { introduction, operations }, sections: [about, ...sections] };
}

/** The names and descriptions of the parameters and fields of an operation, also of those within fields. */
function fieldsOf({ parameters = [], requestBody, responses }, { schemas, parameters: common }) {
  const texts = parameters
    .map(({ $ref, ...own }) => ($ref === undefined ? own : common[$ref.split('/').at(-1)]))
    .map(({ name, description }) => `${name} ${description ?? ''}`);
  const seen = new Set();
  const add = (part) => {
    for (const [, schema] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (seen.has(schema)) continue;
      seen.add(schema);
      for (const [field, { description = '' }] of Object.entries(schemas[schema].properties ?? {})) {
        texts.push(`${field} ${description}`);
      }
      add(schemas[schema]);
    }
  };
  add([requestBody, responses['200'], responses['201']]);
  return texts.map((text) => text.replaceAll('`', ''));
}

/** A reader of Markdown, which resolves links as they are meant in a file of the project. */
function markdownOf(source) {
  const renderer = {
    link({ href, tokens }) {
      const shown = this.parser.parseInline(tokens);
      const { target, name } = targetOf(href, source);
      // A file is called by its name in a text for the project, and by its title on a page.
      const text = /^[\w.-]+\.md$/.test(shown) ? (name ?? shown) : shown;
      return target === undefined ? text : `<a href="${target}">${text}</a>`;
    },
    // What scrolls is reached with the keyboard.
    code({ text }) {
      return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
    },
    table(token) {
      const table = Renderer.prototype.table.call(this, token);
      return `<div class="scroll" role="group" aria-label="Table" tabindex="0">${table}</div>\n`;
    },
  };
  return new Marked({ renderer });
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

/** The address and name of what a guide links to; no address of a file that the service does not show. */
function targetOf(href, source) {
  if (/^(?:https?:|#)/.test(href)) return { target: href };
  const [path, anchor] = href.split('#');
  const shown = SHOWN.get(posix.join(posix.dirname(source), path));
  if (shown === undefined) return {};
  return { target: `/docs/${shown.address}${anchor === undefined ? '' : `#${anchor}`}`, name: shown.name };
}

function escaped(text) {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]);
}

function textOf(html) {
  const text = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  const characters = Object.entries(ENTITIES).reverse();
  return characters.reduce((read, [character, entity]) => read.replaceAll(entity, character), text).trim();
}
