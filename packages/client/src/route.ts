import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import { InvalidInputError } from './errors.js';

/** How the service is reached: by itself, or through a proxy. */
export interface Route {
  /** @param connections most at a time; null: any number */
  readonly dispatcher: (connections: number | null) => Dispatcher;
  /** Of whom the requests are asked: the service, or a proxy. */
  readonly origin: string;
  /** Stands before the path of each request. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Host and port of the proxy, for errors. */
  readonly proxy: string | undefined;
}

export interface RouteOptions {
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** Longest time until a connection is made. */
  readonly timeoutMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The route to an address. The proxy is that of `HTTPS_PROXY` or `HTTP_PROXY`, by the protocol of the address, unless `NO_PROXY`
 * has it out; names in lower case come first, as in other programs. undici's own reading of these variables differs: it takes
 * `HTTP_PROXY` for encrypted addresses too, and knows neither `*` in a list nor `::1` without brackets.
 *
 * @throws InvalidInputError that does not repeat the address of the proxy, which may have a password
 */
export function routeTo(url: URL, { ca, timeoutMs: timeout }: RouteOptions, environment: Environment): Route {
  const proxy = proxyFor(url, environment);
  const prefix = url.pathname.replace(/\/+$/, '');
  // Each exchange has its own time limit.
  const settings = { headersTimeout: 0, bodyTimeout: 0 };
  const tls = { timeout, ...(ca !== undefined && { ca: ca as string }) };
  const direct = { origin: url.origin, prefix, headers: {}, proxy: proxy?.host };
  if (!proxy) {
    return {
      ...direct,
      dispatcher: (connections) => new Pool(url.origin, { ...settings, connections, connect: tls }),
    };
  }
  const authorization = authorizationOf(proxy);
  if (url.protocol === 'https:') {
    return {
      ...direct,
      dispatcher: (connections) =>
        new ProxyAgent({
          ...{ ...settings, connections, uri: proxy.origin, requestTls: tls, proxyTls: { timeout } },
          ...(authorization !== undefined && { token: authorization }),
          // Of the tunnel.
          clientFactory: (origin, options) =>
            new Pool(origin, { ...(options as Pool.Options), headersTimeout: timeout }),
        }),
    };
  }
  // Without encryption a proxy is asked for the whole address.
  return {
    dispatcher: (connections) => new Pool(proxy.origin, { ...settings, connections, connect: tls }),
    origin: proxy.origin,
    prefix: url.origin + prefix,
    headers: {
      host: url.host,
      ...(authorization !== undefined && { 'proxy-authorization': authorization }),
    },
    proxy: proxy.host,
  };
}

function proxyFor(url: URL, environment: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  // Empty is "no proxy".
  const given = environment[name.toLowerCase()] ?? environment[name] ?? '';
  const exempt = environment.no_proxy ?? environment.NO_PROXY ?? '';
  if (given === '' || isExempt(url, exempt)) return undefined;
  const text = given.includes('://') ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (!proxy || !/^https?:$/.test(proxy.protocol))
    throw new InvalidInputError(name, 'it is not the URL of a proxy, http:// or https://');
  return proxy;
}

/** Whether a list names the host of an address: itself, a domain above it, with a port or without, or everything (`*`). */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = bare(hostname);
  const ownPort = port || (protocol === 'https:' ? '443' : '80');
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = entry, wanted = ownPort] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? [];
      const domain = bare(name.replace(/^\*?\./, ''));
      if (domain === '' || wanted !== ownPort) return false;
      return host === domain || host.endsWith(`.${domain}`);
    });
}

/** A URL has the address of IPv6 in brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(user).toString('base64')}`;
}
