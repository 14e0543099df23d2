import type { FastifyReply } from 'fastify';
import { renderToString } from 'preact-render-to-string';
import { pageHeaders } from '../../common/page-headers.js';
import type { Environment } from '../../config/settings.js';
import type { Page } from './page.js';
import { forgetPage, keepPage } from '../viewers/cookies.js';
import { formTokenOf } from '../viewers/form-token.js';
import type { ConsoleRequest } from '../viewers/viewer.js';
import { Layout } from './layout.js';

/** Render a page and set the headers and the status of its answer (choice C4). */
export function renderPage(
  page: Page,
  request: ConsoleRequest,
  reply: FastifyReply,
  { PLATFORM_TIMEZONE, DOCS }: Environment,
): string {
  const context = {
    viewer: request.viewer,
    makeFormToken: () => formTokenOf(request, reply),
    hasDocs: DOCS === 'on',
    now: new Date(),
    timeZone: request.viewer?.timeZone ?? PLATFORM_TIMEZONE,
  };
  if (page.wanted === null) forgetPage(reply);
  else if (page.wanted !== undefined) keepPage(reply, page.wanted);
  void reply
    .status(page.status ?? 200)
    .headers({ ...pageHeaders(), ...page.headers })
    .type('text/html; charset=utf-8');
  return `<!doctype html>${renderToString(<Layout page={page} context={context} />)}`;
}
