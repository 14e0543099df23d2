import { parse, type HTMLElement } from 'node-html-parser';
import { SessionsService } from '../../src/apps/console/signed-in/sessions.service.js';
import { issueKey } from './graphql.js';
import { unique, type TestService, type World } from './service.js';

/** A page as a browser receives it. */
export interface ConsolePage {
  readonly status: number;
  readonly headers: Headers;
  /** The response body. */
  readonly html: string;
  readonly document: HTMLElement;
  /** The text of `main` with white space collapsed, as a reader sees it. */
  readonly text: string;
}

type Fields = Readonly<Record<string, string>>;

/** Options of `fetch`. */
type Sent = Omit<RequestInit, 'headers'> & { readonly headers?: Fields };

/** A browser without JavaScript. It keeps cookies and does not follow redirects. */
export class ConsoleClient {
  private readonly cookies = new Map<string, string>();

  constructor(readonly baseUrl: string) {}

  get(path: string, headers: Fields = {}): Promise<ConsolePage> {
    return this.send(path, { headers });
  }

  /** A list page and all pages after it, following the links to the next page. */
  async pages(path: string): Promise<ConsolePage[]> {
    const pages: ConsolePage[] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const page = await this.get(next);
      pages.push(page);
      next = page.document.querySelector('a[rel=next]')?.getAttribute('href')?.replaceAll('&amp;', '&');
    }
    return pages;
  }

  /**
   * Submit a form.
   *
   * @param path of the form's action
   * @param from the page with the form, from which the CSRF token is read; the sign-in page by default
   */
  async post(path: string, fields: Fields = {}, from = '/console/sign-in'): Promise<ConsolePage> {
    const token = tokenIn(await this.get(from));
    return this.send(path, formOf({ ...fields, _csrf: token }));
  }

  /** Send any request with the cookies. */
  async send(path: string, init: Sent = {}): Promise<ConsolePage> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(this.baseUrl + path, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie !== '' && { cookie }), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    const html = await response.text();
    const document = parse(html);
    return { status: response.status, headers: response.headers, html, document, text: textOf(document) };
  }

  /** The value of a cookie. */
  cookie(name: string): string | undefined {
    return this.cookies.get(name);
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** A POST of a form with these fields. */
export function formOf(fields: Fields): Sent & { readonly headers: Fields } {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

/** The CSRF token of the first form on the page that has one. */
export function tokenIn({ document, html }: ConsolePage): string {
  const token = document.querySelector('input[name=_csrf]')?.getAttribute('value');
  if (token === undefined) throw new Error(`The page has no form that changes anything: ${html}`);
  return token;
}

/** Sign in an operator by a sign-in link. */
export async function signInAsOperator(
  service: TestService,
  name = unique('operator'),
): Promise<ConsoleClient> {
  const sessions = service.app.get(SessionsService, { strict: false });
  const { code } = await sessions.makeLink(name, name);
  const client = new ConsoleClient(service.baseUrl);
  const path = `/console/sign-in/${code}`;
  expectSignedIn(await client.post(path, {}, path));
  return client;
}

/** Sign in an admin with an API key. */
export async function signInAsAdmin(
  service: Pick<TestService, 'baseUrl'>,
  key: string,
): Promise<ConsoleClient> {
  const client = new ConsoleClient(service.baseUrl);
  expectSignedIn(await client.post('/console/sign-in', { api_key: key }));
  return client;
}

/** Sign in an admin of an organisation with a new API key. */
export async function adminOf(
  service: TestService,
  { organisationId }: Pick<World, 'organisationId'>,
): Promise<ConsoleClient> {
  return signInAsAdmin(service, (await issueKey(service, organisationId)).key);
}

function expectSignedIn({ status, text }: ConsolePage): void {
  if (status !== 303) throw new Error(`The sign-in was answered ${status}: ${text}`);
}

/** The rows of a table as a reader sees them, without the header. @param selector of the table, for example `table.data` */
export function rowsOf({ document }: ConsolePage, selector = 'table'): string[][] {
  const table = document.querySelector(selector);
  return (table?.querySelectorAll('tbody tr') ?? []).map((row) =>
    row.querySelectorAll('th, td').map(collapsed),
  );
}

/** The text of an element as a reader sees it. */
export function collapsed(element: HTMLElement): string {
  return element.textContent.replaceAll(/\s+/g, ' ').trim();
}

function textOf(document: HTMLElement): string {
  const main = document.querySelector('main');
  return main ? collapsed(main) : '';
}
