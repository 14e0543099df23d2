import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from '../../../infrastructure/routes/page-headers.js';
import { buildFile } from '../../../infrastructure/config/project-file.js';
import { serveStaticFiles, type StaticSource } from './static-files.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.graphql': 'text/plain',
  '.sha256': 'text/plain',
};

/**
 * Serves without authentication the loader, and the pages that the build makes of the interfaces and guides (scripts/docs/build.mjs).
 *
 * Source: choices O2, C15, L15.
 */
export function docsPlugin(instance: FastifyInstance): void {
  const folder = buildFile('docs');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((path) => {
    const type = TYPES[extname(path)];
    if (type === undefined) return [];
    const source: StaticSource = {
      type: type === TYPES['.svg'] ? type : `${type}; charset=utf-8`,
      read: () => readFile(join(folder, path)),
    };
    return [[path.replace(/(^|\/)index\.html$/, '$1'), source] as const];
  });
  serveStaticFiles(instance, '/docs/', Object.fromEntries(files), pageHeaders());
}
