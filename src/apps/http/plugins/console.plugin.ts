import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyCookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { isPageAddress } from '../../console/common/below-console.js';
import type { ConsoleServices } from '../../console/console-services.js';
import { cookieOf } from '../../console/signed-in/cookies.js';
import { knownTimeZone } from '../../console/signed-in/time-zones.js';
import type { ConsoleRequest, SignedIn } from '../../console/signed-in/signed-in.js';
import type { OwnErrors } from './route-errors.js';
import type { BodyConfig } from './body.plugin.js';
import { FORM, FORM_BYTES_MAX } from './form-body.js';
import { addRouteHook, isPage } from './route-hooks.js';
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
 * What the pages of the console need of the HTTP server: cookies, the viewer whose session they name, forms as bodies, errors that
 * are pages, style sheets and scripts.
 *
 * @returns to be called before a wrong address or method is answered: below `/console/` that answer is a page too
 * Source: choices A10, C1, C3.
 */
export async function consolePlugin(
  instance: FastifyInstance,
  { sessions, cookies, errors }: ConsoleServices,
): Promise<(request: ConsoleRequest & OwnErrors) => Promise<void>> {
  await instance.register(fastifyCookie, { hook: false });
  const findSignedIn = async (request: ConsoleRequest): Promise<void> => {
    request.cookies = instance.parseCookie(request.headers.cookie ?? '');
    const secret = cookies.secretOf(request);
    const find = async (): Promise<SignedIn | undefined> =>
      secret === undefined ? undefined : sessions.find(secret);
    const signedIn = await find();
    if (signedIn) request.isStillSignedIn = async () => (await find()) !== undefined;
    const isFromAnotherSite = OTHER_SITES.has(request.headers['sec-fetch-site']);
    const timeZone = knownTimeZone(cookieOf(request, 'timeZone'));
    request.signedIn = signedIn && {
      ...signedIn,
      isFromAnotherSite,
      timeZone,
      hasFindKey: cookieOf(request, 'findKey') !== 'off',
    };
  };
  instance.addHook('onRoute', (route) => {
    if (!isPage(route)) return;
    const config: BodyConfig & OwnErrors = { ...route.config, bodyFormat: FORM, errorFilter: errors };
    Object.assign(route, { config, bodyLimit: FORM_BYTES_MAX });
  });
  addRouteHook(instance, 'onRequest', isPage, findSignedIn);
  serveStaticFiles(instance, '/console/assets/', CONSOLE_ASSETS, {});
  return async (request) => {
    if (!isPageAddress(request.url)) return;
    request.errorFilter = errors;
    await findSignedIn(request);
  };
}
