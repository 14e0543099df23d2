import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import { InvalidInputError } from './errors.js';

/** The route to the service: direct, or through a proxy. */
export interface Route {
  /** @param connections maximum number of open connections; null for no limit */
  readonly dispatcher: (connections: number | null) => Dispatcher;
  /** The origin to which requests are sent: the service's, or a proxy's. */
  readonly origin: string;
  /** Prepended to the path of each request. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Host and port of the proxy, for error messages. */
  readonly proxy: string | undefined;
}

export interface RouteOptions {
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** Timeout for making a connection. */
  readonly timeoutMs: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The route to an address. The proxy is that of `HTTPS_PROXY` or `HTTP_PROXY`, depending on the protocol of the address, unless
 * `NO_PROXY` excludes the address. Names in lower case have priority, as in other programs. undici's own support for these
 * variables differs: it uses `HTTP_PROXY` for encrypted addresses too, and knows neither `*` in a list nor `::1` without brackets.
 *
 * @throws InvalidInputError without the address of the proxy, which may contain a password
 */
export function routeTo(url: URL, { ca, timeoutMs: timeout }: RouteOptions, environment: Environment): Route {
  const proxy = proxyFor(url, environment);
  const prefix = url.pathname.replace(/\/+$/, '');
  // Each exchange has its own timeout.
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
          // The connections to the proxy, on which tunnels are opened.
          clientFactory: (origin, options) =>
            new Pool(origin, { ...(options as Pool.Options), headersTimeout: timeout }),
        }),
    };
  }
  // An unencrypted request to a proxy contains the whole URL.
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
  // An empty variable means no proxy.
  const given = environment[name.toLowerCase()] ?? environment[name] ?? '';
  const exempt = environment.no_proxy ?? environment.NO_PROXY ?? '';
  if (given === '' || isExempt(url, exempt)) return undefined;
  const text = given.includes('://') ? given : `http://${given}`;
  const proxy = URL.canParse(text) ? new URL(text) : undefined;
  if (!proxy || !/^https?:$/.test(proxy.protocol))
    throw new InvalidInputError(name, 'it is not the URL of a proxy, http:// or https://');
  return proxy;
}

/** Whether a list contains the host of an address, a parent domain, either with or without a port, or everything (`*`). */
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

/** A host without the brackets that a URL puts around an IPv6 address. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(user).toString('base64')}`;
}
