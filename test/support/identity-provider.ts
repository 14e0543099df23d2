import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ConsoleClient, formOf, type ConsolePage } from './console.js';

/** Where the provider leads back to in tests without a browser, which do not go there but take the address from the answer. */
export const CONSOLE_URL = 'https://console.example';

/** Settings with which people sign in at a provider. */
export function providerSettings(issuer: string, consoleUrl = CONSOLE_URL): Record<string, string> {
  return {
    CONSOLE: 'on',
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: 'data-import',
    OIDC_CLIENT_SECRET: 'the secret of the service',
    OIDC_ROLES: 'claim=groups; viewer=viewers; operator=operators; supplier=suppliers; organisation=org_id',
    CONSOLE_URL: consoleUrl,
    TOKEN_FAILURES_PER_MINUTE: '1000000',
    TRUSTED_PROXIES: '127.0.0.1',
  };
}

/** The claims of a person. */
export interface TestPerson {
  readonly sub: string;
  readonly name?: string;
  readonly groups?: readonly string[];
  readonly org_id?: string;
}

export interface TestProvider {
  readonly issuer: string;
  readonly stop: () => Promise<void>;
}

/** Start a real provider as a process of its own. */
export async function startProvider(consoleUrl = CONSOLE_URL): Promise<TestProvider> {
  const script = fileURLToPath(new URL('provider-process.mjs', import.meta.url));
  const child = spawn(process.execPath, [script, `${consoleUrl}/console/sign-in/callback`], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close');
  const [issuer] = (await once(createInterface(child.stdout), 'line')) as [string];
  return {
    issuer,
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The address of a path of the service to which an answer leads, without the service's origin. */
export function ledTo({ status, headers, html }: ConsolePage): URL {
  const location = headers.get('location');
  if (location === null) throw new Error(`The answer is ${status} and leads nowhere: ${html}`);
  return new URL(location, 'http://relative.example');
}

/** Begin a sign-in, and sign in at the provider. @returns path and query of the callback, which the browser has not opened yet */
export async function callbackFor(
  client: ConsoleClient,
  person: TestPerson,
  start = '/console/sign-in/start',
): Promise<string> {
  const begun = ledTo(await client.get(start));
  const atProvider = new ConsoleClient(begun.origin);
  const asked = ledTo(await atProvider.get(begun.pathname + begun.search));
  await atProvider.get(asked.pathname);
  let next = ledTo(await atProvider.send(asked.pathname, formOf({ person: JSON.stringify(person) })));
  while (next.pathname !== '/console/sign-in/callback')
    next = ledTo(await atProvider.get(next.pathname + next.search));
  return next.pathname + next.search;
}

/** Sign a person in. */
export async function signInAsPerson(
  service: { readonly baseUrl: string },
  person: TestPerson,
): Promise<ConsoleClient> {
  const client = new ConsoleClient(service.baseUrl);
  const page = await client.get(await callbackFor(client, person));
  if (page.status !== 200) throw new Error(`The sign-in was answered ${page.status}: ${page.text}`);
  return client;
}
