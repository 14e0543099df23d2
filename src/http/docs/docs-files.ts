import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PAGE, SCRIPT, STYLE } from './docs-page.js';
import { projectFile } from '../../config/project-file.js';

/** What one address of the documents answers. */
export interface DocsFile {
  readonly type: string;
  readonly content: Buffer;
  readonly etag: string;
}

/** Where the content comes from, when it is asked for first. */
interface Source {
  readonly type: string;
  readonly read: () => Promise<Buffer | string>;
}

const written = (type: string, text: string): Source => ({ type, read: () => Promise.resolve(text) });
const ofSwaggerUi = (type: string, name: string): Source => ({
  type,
  read: () => readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))),
});

const [CSS, JAVASCRIPT] = ['text/css; charset=utf-8', 'text/javascript; charset=utf-8'];

/** By the address below `/docs/`. */
const SOURCES: ReadonlyMap<string, Source> = new Map([
  ['', written('text/html; charset=utf-8', PAGE)],
  ['page.js', written(JAVASCRIPT, SCRIPT)],
  ['page.css', written(CSS, STYLE)],
  ['swagger-ui-bundle.js', ofSwaggerUi(JAVASCRIPT, 'swagger-ui-bundle.js')],
  ['swagger-ui.css', ofSwaggerUi(CSS, 'swagger-ui.css')],
  ['favicon-32x32.png', ofSwaggerUi('image/png', 'favicon-32x32.png')],
  ['openapi.json', { type: 'application/json; charset=utf-8', read: openApi }],
  [
    'schema.graphql',
    { type: 'text/plain; charset=utf-8', read: () => readFile(projectFile('contract/schema.graphql')) },
  ],
]);

/** Every address below `/docs/`. */
export const DOCS_ADDRESSES: readonly string[] = [...SOURCES.keys()];

/** The files of the documents, each read once, when it is asked for first. */
export class DocsFiles {
  private readonly files = new Map<string, DocsFile>();

  /** @param address one of {@link DOCS_ADDRESSES} */
  async find(address: string): Promise<DocsFile> {
    const file = this.files.get(address) ?? (await read(address));
    this.files.set(address, file);
    return file;
  }
}

async function read(address: string): Promise<DocsFile> {
  const source = SOURCES.get(address);
  if (!source) throw new Error(`There is no document ${address}.`);
  const content = Buffer.from(await source.read());
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return { type: source.type, content, etag };
}

/** The published document, whose server is the one that the client has asked, whatever its name is there. */
async function openApi(): Promise<string> {
  const document = JSON.parse(await readFile(projectFile('contract/openapi.json'), 'utf8')) as object;
  return `${JSON.stringify({ ...document, servers: [{ url: '/' }] }, null, 2)}\n`;
}
