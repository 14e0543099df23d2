import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../../config/project-file.js';
import { CONSOLE_ASSETS } from '../plugins/console.plugin.js';
import type { StaticSource } from '../plugins/static-files.js';
import { contentOf, readContent } from './docs-content.js';
import { renderDocs, type DocsPage } from './docs-layout.js';
import { GUIDES, REFERENCES, type Guide } from './guides.js';
import { LOADER_FILES, loaderPage, readLoaderFile } from './loader-page.js';
import { referencePage } from './reference-page.js';

const [CSS, JAVASCRIPT] = ['css', 'javascript'].map((name) => `text/${name}; charset=utf-8`) as [
  string,
  string,
];
const [TEXT, JSON_TYPE] = ['text/plain; charset=utf-8', 'application/json; charset=utf-8'];

export const HTML = 'text/html; charset=utf-8';

const asset = (type: string, name: string): StaticSource => ({
  type,
  read: () => readFile(new URL(`assets/${name}`, import.meta.url)),
});
const ofSwaggerUi = (type: string, name: string): StaticSource => ({
  type,
  read: () => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))),
});
const loaderFile = (type: string, name: string): StaticSource => ({ type, read: () => readLoaderFile(name) });

const FILES: Readonly<Record<string, StaticSource>> = {
  'assets/docs.css': asset(CSS, 'docs.css'),
  'assets/reference.css': asset(CSS, 'reference.css'),
  'assets/reference.js': asset(JAVASCRIPT, 'reference.js'),
  'assets/swagger-ui.css': ofSwaggerUi(CSS, 'swagger-ui.css'),
  'assets/swagger-ui-bundle.js': ofSwaggerUi(JAVASCRIPT, 'swagger-ui-bundle.js'),
  ...Object.fromEntries(
    Object.entries(CONSOLE_ASSETS)
      .filter(([name]) => /\.(?:css|svg)$/.test(name))
      .map(([name, source]) => [`assets/${name}`, source]),
  ),
  ...Object.fromEntries(
    REFERENCES.map(({ document }) => [document, { type: JSON_TYPE, read: () => openApi(document) }]),
  ),
  'schema.graphql': { type: TEXT, read: () => readFile(projectFile('contract/schema.graphql')) },
  [`loader/${LOADER_FILES.program}`]: loaderFile(JAVASCRIPT, LOADER_FILES.program),
  [`loader/${LOADER_FILES.checksum}`]: loaderFile(TEXT, LOADER_FILES.checksum),
  [`loader/${LOADER_FILES.schema}`]: loaderFile(JSON_TYPE, LOADER_FILES.schema),
};

/**
 * What does not change while the process runs, by the address below `/docs/`.
 *
 * @param hasConsole whether the pages lead to the console
 */
export function docsFiles(hasConsole: boolean): Readonly<Record<string, StaticSource>> {
  const page = (address: string, make: () => Promise<DocsPage>): [string, StaticSource] => [
    address,
    { type: HTML, read: async () => renderDocs(await make(), hasConsole) },
  ];
  return {
    ...FILES,
    ...Object.fromEntries([
      ...REFERENCES.map((reference) => page(reference.address, () => referencePage(reference))),
      ...GUIDES.map((guide) => page(guide.address, () => guidePage(guide))),
      page('loader/', loaderPage),
    ]),
  };
}

async function guidePage({ address }: Guide): Promise<DocsPage> {
  const { title, body, headings } = contentOf((await readContent()).guides, address);
  return { address, title, headings, html: body };
}

/** A published document, whose server is the one that the client has asked, whatever its name is there. */
async function openApi(name: string): Promise<string> {
  const document = JSON.parse(await readFile(projectFile(`contract/${name}`), 'utf8')) as object;
  return `${JSON.stringify({ ...document, servers: [{ url: '/' }] }, null, 2)}\n`;
}
