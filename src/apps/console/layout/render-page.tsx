import type { FastifyReply } from 'fastify';
import { Fragment, options } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { logError } from '../../../infrastructure/log/log-error.js';
import { pageHeaders } from '../../../infrastructure/routes/page-headers.js';
import type { CatalogueValues } from '../../../infrastructure/validation/rules/runtime-limits.js';
import { toAppError } from '../../../infrastructure/errors/to-app-error.js';
import type { Environment } from '../../../infrastructure/config/settings.js';
import { errorPage } from './error.page.js';
import type { Page } from './page.js';
import { forget, keepPage } from '../signed-in/cookies.js';
import { formTokenOf } from '../signed-in/form-token.js';
import type { ConsoleRequest } from '../signed-in/signed-in-user.js';
import { Layout } from './layout.js';

/** No page is larger than this, whatever it shows. No list of the console comes near it. */
const CHARACTERS_MAX = 4_194_304;
/** The fewest characters of an element besides its texts. */
const ELEMENT_CHARACTERS = 16;

const TOO_LARGE = new Error('The page has more than 4 MiB.');

/** How many characters may still be added to the page that is being rendered. Two pages are never rendered at the same time. */
let charactersLeft = Infinity;

const diffed = options.diffed?.bind(options);
options.diffed = (element): void => {
  diffed?.(element);
  if (typeof element.type !== 'string' && element.type !== Fragment) return;
  charactersLeft -= ELEMENT_CHARACTERS;
  for (const value of Object.values(element.props as object).flat() as unknown[])
    if (typeof value === 'string') charactersLeft -= value.length;
  if (charactersLeft < 0) throw TOO_LARGE;
};

/** Render a page and set the headers and the status of its answer (choice C4). */
export function renderPage(
  page: Page,
  request: ConsoleRequest,
  reply: FastifyReply,
  environment: Environment,
  catalogues: CatalogueValues = new Map(),
): string {
  const { PLATFORM_TIMEZONE, DOCS } = environment;
  const context = {
    user: request.user,
    makeFormToken: () => formTokenOf(request, reply),
    hasDocs: DOCS === 'on',
    catalogues,
    now: new Date(),
    timeZone: request.user?.timeZone ?? PLATFORM_TIMEZONE,
  };
  if (page.wanted === null) forget(reply, 'wanted');
  else if (page.wanted !== undefined) keepPage(reply, page.wanted);
  void reply
    .status(page.status ?? 200)
    .headers({ ...pageHeaders(), ...page.headers })
    .type('text/html; charset=utf-8');
  try {
    charactersLeft = CHARACTERS_MAX;
    const html = renderToString(<Layout page={page} context={context} />);
    if (html.length > CHARACTERS_MAX) throw TOO_LARGE;
    return `<!doctype html>${html}`;
  } catch (error) {
    if (error !== TOO_LARGE) throw error;
    logError(toAppError(error), request);
    const tooLarge = errorPage(500, 'This page would be larger than 4 MiB and is not shown.');
    return renderPage(tooLarge, request, reply, environment);
  }
}
