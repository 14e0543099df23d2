import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fastifyCookie from '@fastify/cookie';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { isPageAddress } from '../../console/common/below-console.js';
import { ConsoleErrorFilter } from '../../console/layout/console-error.filter.js';
import { SessionCookies } from '../../console/signed-in/session-cookies.js';
import { SessionsService } from '../../console/signed-in/sessions.service.js';
import { knownTimeZone } from '../../console/signed-in/time-zones.js';
import type { ConsoleRequest, SignedInUser } from '../../console/signed-in/signed-in-user.js';
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

/** Assets by their address below `/console/assets/`. */
const CONSOLE_ASSETS: Readonly<Record<string, StaticSource>> = {
  'console.css': styleSheet('console.css'),
  'tables.css': styleSheet('tables.css'),
  'icon.svg': asset('image/svg+xml', 'icon.svg'),
  'copy.js': script('copy.js'),
  'refresh.js': script('refresh.js'),
  'times.js': script('times.js'),
  'htmx.js': {
    type: 'text/javascript; charset=utf-8',
    read: () => readFile(fileURLToPath(import.meta.resolve('htmx.org/dist/htmx.min.js'))),
  },
};

/** `Sec-Fetch-Site` values of a page that was opened from another site, or from another host of the same site. */
const OTHER_SITES = new Set<unknown>(['cross-site', 'same-site']);

/**
 * Sets the HTTP server up for the console's pages: cookies, the signed-in user, form bodies, error pages, style sheets and scripts.
 *
 * Source: choices A10, C1, C3.
 */
@Injectable()
export class ConsolePlugin {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookies: SessionCookies,
    private readonly errors: ConsoleErrorFilter,
  ) {}

  /** @returns a function to call before an unknown address or method is answered: below `/console/` that answer is a page too */
  async register(instance: FastifyInstance): Promise<(request: ConsoleRequest & OwnErrors) => Promise<void>> {
    await instance.register(fastifyCookie, { hook: false });
    const findUser = async (request: ConsoleRequest): Promise<void> => {
      request.cookies = instance.parseCookie(request.headers.cookie ?? '');
      const secret = this.cookies.secretOf(request);
      const find = async (): Promise<SignedInUser | undefined> =>
        secret === undefined ? undefined : this.sessions.find(secret);
      const user = await find();
      if (user) request.isStillSignedIn = async () => (await find()) !== undefined;
      const isFromAnotherSite = OTHER_SITES.has(request.headers['sec-fetch-site']);
      const timeZone = knownTimeZone(request.cookies.data_import_time_zone);
      request.user = user && { ...user, isFromAnotherSite, timeZone };
    };
    instance.addHook('onRoute', (route) => {
      if (!isPage(route)) return;
      const config: BodyConfig & OwnErrors = { ...route.config, bodyFormat: FORM, errorFilter: this.errors };
      Object.assign(route, { config, bodyLimit: FORM_BYTES_MAX });
    });
    addRouteHook(instance, 'onRequest', isPage, findUser);
    serveStaticFiles(instance, '/console/assets/', CONSOLE_ASSETS, {});
    return async (request) => {
      if (!isPageAddress(request.url)) return;
      request.errorFilter = this.errors;
      await findUser(request);
    };
  }
}
