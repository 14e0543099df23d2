import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { isForPage } from '../../console/common/below-console.js';
import type { SessionCookies } from '../../console/viewers/session-cookies.js';
import type { SessionsService } from '../../console/viewers/sessions.service.js';
import { hasFindKey, timeZoneCookieOf } from '../../console/viewers/cookies.js';
import { knownTimeZone } from '../../console/viewers/time-zones.js';
import type { ConsoleRequest } from '../../console/viewers/viewer.js';
import { serveStaticFiles, type StaticSource } from './static-files.js';

const asset = (type: string, name: string): StaticSource => ({
  type,
  read: () => readFile(new URL(`../../console/assets/${name}`, import.meta.url)),
});
const styleSheet = (name: string): StaticSource => asset('text/css; charset=utf-8', name);
const script = (name: string): StaticSource => asset('text/javascript; charset=utf-8', name);

/** By the address below `/console/assets/`. */
const CONSOLE_ASSETS: Readonly<Record<string, StaticSource>> = {
  'console.css': styleSheet('console.css'),
  'supplier.css': styleSheet('supplier.css'),
  'account.css': styleSheet('account.css'),
  'failures.css': styleSheet('failures.css'),
  'chart.css': styleSheet('chart.css'),
  'icon.svg': asset('image/svg+xml', 'icon.svg'),
  'chart.js': script('chart.js'),
  'copy.js': script('copy.js'),
  'find.js': script('find.js'),
  'refresh.js': script('refresh.js'),
  'times.js': script('times.js'),
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFile(fileURLToPath(import.meta.resolve('htmx.org/dist/htmx.min.js'))),
  },
};

/** What browsers report of a page to which a link of another site, or of another host of the same one, leads. */
const OTHER_SITES = new Set<unknown>(['cross-site', 'same-site']);

/**
 * What the pages of the console need of the HTTP server: cookies, the viewer whose session they name, style sheets and scripts. The
 * viewer is known before a wrong address or method is answered, because that answer is a page too.
 *
 * Source: choices A10, C1, C3.
 */
export async function consolePlugin(
  instance: FastifyInstance,
  sessions: SessionsService,
  cookies: SessionCookies,
): Promise<void> {
  await instance.register(fastifyCookie, { hook: false });
  const findViewer = async (request: ConsoleRequest): Promise<void> => {
    request.cookies = instance.parseCookie(request.headers.cookie ?? '');
    const secret = cookies.secretOf(request);
    const viewer = secret === undefined ? undefined : await sessions.find(secret);
    const isFromAnotherSite = OTHER_SITES.has(request.headers['sec-fetch-site']);
    const timeZone = knownTimeZone(timeZoneCookieOf(request));
    request.viewer = viewer && {
      ...viewer,
      isFromAnotherSite,
      timeZone,
      hasFindKey: hasFindKey(request),
    };
  };
  // With a callback, because every request of the interface passes here, and a promise for each costs time.
  instance.addHook('onRequest', (request: ConsoleRequest, _reply, done) => {
    if (!isForPage(request)) {
      done();
      return;
    }
    findViewer(request).then(() => {
      done();
    }, done);
  });
  serveStaticFiles(instance, '/console/assets/', CONSOLE_ASSETS, {});
}
