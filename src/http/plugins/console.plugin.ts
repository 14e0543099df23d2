import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyCookie from '@fastify/cookie';
import fastifyCsrfProtection from '@fastify/csrf-protection';
import type { FastifyInstance } from 'fastify';
import { serveStaticFiles, type StaticSource } from '../static-files.js';

const asset = (type: string, name: string): StaticSource => ({
  type,
  read: () => readFile(new URL(`../../console/assets/${name}`, import.meta.url)),
});
const styleSheet = (name: string): StaticSource => asset('text/css; charset=utf-8', name);

/** By the address below `/console/assets/`. */
const ASSETS: Readonly<Record<string, StaticSource>> = {
  'console.css': styleSheet('console.css'),
  'supplier.css': styleSheet('supplier.css'),
  'account.css': styleSheet('account.css'),
  'failures.css': styleSheet('failures.css'),
  'icon.svg': asset('image/svg+xml', 'icon.svg'),
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFile(fileURLToPath(import.meta.resolve('htmx.org/dist/htmx.min.js'))),
  },
};

/**
 * What the pages of the console need of the HTTP server: cookies, forms and their tokens, style sheet and scripts.
 *
 * Source: choices C1, C3, C4.
 */
export async function consolePlugin(instance: FastifyInstance): Promise<void> {
  await instance.register(fastifyCookie);
  await instance.register(fastifyCsrfProtection, {
    cookieOpts: { path: '/console', httpOnly: true, sameSite: 'strict' },
  });
  serveStaticFiles(instance, '/console/assets/', ASSETS, {});
}
