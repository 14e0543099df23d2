import { Agent as HttpAgent, request as httpRequest, type AgentOptions, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { InvalidInputError } from './errors.js';

/** How the service is reached: by itself, or through a proxy. */
export interface Route {
  readonly request: typeof httpRequest;
  readonly agent: (maxSockets: number) => HttpAgent;
  readonly host: string;
  readonly port: string;
  /** Stands before the path of each request. */
  readonly prefix: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Host and port of the proxy, for errors. */
  readonly proxy: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The route to an address. The proxy is that of `HTTPS_PROXY` or `HTTP_PROXY`, by the protocol of the address, unless `NO_PROXY`
 * has it out; names in lower case come first, as in other programs.
 *
 * @throws InvalidInputError that does not repeat the address of the proxy, which may have a password
 */
export function routeTo(url: URL, options: AgentOptions & { ca?: string }, environment: Environment): Route {
  const isSecure = url.protocol === 'https:';
  const proxy = proxyFor(url, environment);
  const path = url.pathname.replace(/\/+$/, '');
  if (!proxy || isSecure) {
    const Agent = isSecure ? HttpsAgent : HttpAgent;
    return {
      request: isSecure ? httpsRequest : httpRequest,
      agent: (maxSockets) =>
        proxy ? new TunnelAgent(proxy, { ...options, maxSockets }) : new Agent({ ...options, maxSockets }),
      host: bare(url.hostname),
      port: url.port,
      prefix: path,
      headers: {},
      proxy: proxy?.host,
    };
  }
  // Without encryption a proxy is asked for the whole address.
  const isSecureProxy = proxy.protocol === 'https:';
  const Agent = isSecureProxy ? HttpsAgent : HttpAgent;
  return {
    request: isSecureProxy ? httpsRequest : httpRequest,
    agent: (maxSockets) => new Agent({ ...options, maxSockets }),
    host: bare(proxy.hostname),
    port: proxy.port,
    prefix: url.origin + path,
    headers: { host: url.host, ...authorizationOf(proxy) },
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

/** A URL has the address of IPv6 in brackets, a connection has not. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}` };
}

/** Makes encrypted connections through a proxy, which sees host and port only. */
class TunnelAgent extends HttpsAgent {
  readonly #proxy: URL;

  constructor(proxy: URL, options: AgentOptions) {
    super(options);
    this.#proxy = proxy;
  }

  /** At once, since connections that are made later would not count among `maxSockets`. */
  override createConnection(options: RequestOptions): Duplex | null | undefined {
    const { host, port } = options as { host: string; port: number };
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const encrypted: object = { ...options, socket: new Tunnel(this.#proxy, target) };
    return super.createConnection(encrypted);
  }
}

/** A connection to a host that a proxy makes. What is written before it is made waits. */
class Tunnel extends Duplex {
  readonly #asking: ClientRequest;
  #socket: Socket | undefined;

  constructor(proxy: URL, target: string) {
    super();
    this.#asking = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      method: 'CONNECT',
      host: bare(proxy.hostname),
      port: proxy.port,
      path: target,
      headers: { host: target, ...authorizationOf(proxy) },
      agent: false,
    });
  }

  override _construct(done: (error?: Error | null) => void): void {
    this.#asking.once('error', done);
    this.#asking.once('connect', ({ statusCode = 0 }, socket) => {
      this.#socket = socket;
      socket
        .on('data', (part) => {
          if (!this.push(part)) socket.pause();
        })
        .on('end', () => this.push(null))
        .on('error', (error) => this.destroy(error))
        .on('close', () => this.destroy());
      done(statusCode === 200 ? null : failure(`PROXY_ANSWERED_${statusCode}`));
    });
    this.#asking.end();
  }

  override _read(): void {
    this.#socket?.resume();
  }

  override _write(part: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket?.write(part, done);
  }

  override _final(done: () => void): void {
    this.#socket?.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#asking.destroy();
    this.#socket?.destroy();
    done(error);
  }
}

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
