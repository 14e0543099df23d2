import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildFile, projectFile } from '../../config/project-file.js';
import type { StaticSource } from '../plugins/static-files.js';
import { PAGE, SCRIPT, STYLE } from './docs-page.js';
import { builtGuide, GUIDES } from './guides.js';
import { LOADER_FILES, loaderPage, readLoaderFile } from './loader-page.js';

const written = (type: string, text: string): StaticSource => ({ type, read: () => Promise.resolve(text) });
const ofSwaggerUi = (type: string, name: string): StaticSource => ({
  type,
  read: () => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))),
});

const loaderFile = (type: string, name: string): StaticSource => ({ type, read: () => readLoaderFile(name) });

const [HTML, CSS, JAVASCRIPT] = ['html', 'css', 'javascript'].map(
  (name) => `text/${name}; charset=utf-8`,
) as [string, string, string];
const [TEXT, JSON_TYPE] = ['text/plain; charset=utf-8', 'application/json; charset=utf-8'];

/** By the address below `/docs/`. */
export const DOCS_FILES: Readonly<Record<string, StaticSource>> = {
  '': written(HTML, PAGE),
  'page.js': written(JAVASCRIPT, SCRIPT),
  'page.css': written(CSS, STYLE),
  'swagger-ui-bundle.js': ofSwaggerUi(JAVASCRIPT, 'swagger-ui-bundle.js'),
  'swagger-ui.css': ofSwaggerUi(CSS, 'swagger-ui.css'),
  'favicon-32x32.png': ofSwaggerUi('image/png', 'favicon-32x32.png'),
  'openapi.json': { type: JSON_TYPE, read: () => openApi('openapi.json') },
  'platform.json': { type: JSON_TYPE, read: () => openApi('platform.json') },
  'schema.graphql': {
    type: TEXT,
    read: () => readFile(projectFile('contract/schema.graphql')),
  },
  'loader/': { type: HTML, read: loaderPage },
  [`loader/${LOADER_FILES.program}`]: loaderFile(JAVASCRIPT, LOADER_FILES.program),
  [`loader/${LOADER_FILES.checksum}`]: loaderFile(TEXT, LOADER_FILES.checksum),
  [`loader/${LOADER_FILES.schema}`]: loaderFile(JSON_TYPE, LOADER_FILES.schema),
  ...Object.fromEntries(
    GUIDES.map((guide): [string, StaticSource] => [
      guide.address,
      { type: HTML, read: () => readFile(buildFile(builtGuide(guide))) },
    ]),
  ),
};

/** A published document, whose server is the one that the client has asked, whatever its name is there. */
async function openApi(name: string): Promise<string> {
  const document = JSON.parse(await readFile(projectFile(`contract/${name}`), 'utf8')) as object;
  return `${JSON.stringify({ ...document, servers: [{ url: '/' }] }, null, 2)}\n`;
}
