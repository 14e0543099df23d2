import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { projectFile } from '../../config/project-file.js';
import type { StaticSource } from '../plugins/static-files.js';
import { PAGE, SCRIPT, STYLE } from './docs-page.js';

const written = (type: string, text: string): StaticSource => ({ type, read: () => Promise.resolve(text) });
const ofSwaggerUi = (type: string, name: string): StaticSource => ({
  type,
  read: () => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))),
});

const [CSS, JAVASCRIPT] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** By the address below `/docs/`. */
export const DOCS_FILES: Readonly<Record<string, StaticSource>> = {
  '': written('text/html; charset=utf-8', PAGE),
  'page.js': written(JAVASCRIPT, SCRIPT),
  'page.css': written(CSS, STYLE),
  'swagger-ui-bundle.js': ofSwaggerUi(JAVASCRIPT, 'swagger-ui-bundle.js'),
  'swagger-ui.css': ofSwaggerUi(CSS, 'swagger-ui.css'),
  'favicon-32x32.png': ofSwaggerUi('image/png', 'favicon-32x32.png'),
  'openapi.json': { type: 'application/json; charset=utf-8', read: () => openApi('openapi.json') },
  'platform.json': { type: 'application/json; charset=utf-8', read: () => openApi('platform.json') },
  'schema.graphql': {
    type: 'text/plain; charset=utf-8',
    read: () => readFile(projectFile('contract/schema.graphql')),
  },
};

/** A published document, whose server is the one that the client has asked, whatever its name is there. */
async function openApi(name: string): Promise<string> {
  const document = JSON.parse(await readFile(projectFile(`contract/${name}`), 'utf8')) as object;
  return `${JSON.stringify({ ...document, servers: [{ url: '/' }] }, null, 2)}\n`;
}
