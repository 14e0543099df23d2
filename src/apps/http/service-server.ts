import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { Server, type RequestListener, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { StartError } from '../../infrastructure/config/env.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';
import type { Environment } from '../../infrastructure/config/settings.js';

/** Request line and headers together; the longest path of the interface and a token need less than a third of it. */
export const HEADERS_BYTES_MAX = 16_384;

/** How long the server waits for a client, in milliseconds. */
export interface ConnectionTimeouts {
  /** A client that stops sending within the headers is disconnected after this. */
  readonly headersMs: number;
  /** A client that stops sending within the request is disconnected after this. */
  readonly requestMs: number;
  /** How often the two above are checked. */
  readonly checkIntervalMs: number;
  /** A connection without a request is closed after this. */
  readonly keepAliveMs: number;
  /** A connection on which no byte moves is closed after this, also within an answer that its client does not read. */
  readonly idleMs: number;
  /** A connection that cannot be used any more is closed after this, even when the client keeps it open. */
  readonly closeMs: number;
}

/** Keep-alive is longer than the 60 s for which load balancers keep a connection open. */
export const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  headersMs: 30_000,
  requestMs: 120_000,
  checkIntervalMs: 30_000,
  keepAliveMs: 72_000,
  idleMs: 120_000,
  closeMs: 5_000,
};

/**
 * New connections that the operating system keeps until the service accepts them; it may keep fewer (`somaxconn`). With
 * those of Node.js, 511, a burst of one client makes the connections of others wait for a second or more.
 */
const BACKLOG = 4_096;

/**
 * The HTTP server of the service. It can listen before there is an application, and pass the port to the application without
 * a moment in which nobody listens.
 *
 * Source: choice O1.
 */
export class ServiceServer extends Server {
  /** Answers once the application listens. */
  application: RequestListener | undefined;
  private current: RequestListener | undefined;
  private readonly latest = new WeakMap<Socket, ServerResponse>();
  /** `localhost` is one address for IPv4 and one for IPv6. */
  private readonly others: NetServer[] = [];

  constructor(readonly timeouts: ConnectionTimeouts = CONNECTION_TIMEOUTS) {
    super({
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      // Node.js would answer a missing Host in its own format; routing-errors.plugin.ts refuses it in the usual one.
      requireHostHeader: false,
    });
    this.timeout = timeouts.idleMs;
    this.on('request', (request, response) => {
      this.latest.set(request.socket, response);
      this.current?.(request, response);
    });
  }

  /**
   * Listen, before the application does.
   *
   * @param first answers until then
   * @throws StartError when the port is not available
   */
  async open(
    { PORT, HOST, CONNECTIONS_MAX }: Pick<Environment, 'PORT' | 'HOST' | 'CONNECTIONS_MAX'>,
    first?: RequestListener,
  ): Promise<void> {
    this.current = first;
    this.limitConnections(CONNECTIONS_MAX);
    try {
      await once(super.listen({ port: PORT, host: HOST, backlog: BACKLOG }), 'listening');
    } catch (cause) {
      throw cannotListen(PORT, HOST, cause);
    }
    if (HOST === 'localhost') await this.listenAtOtherAddresses(this.address() as AddressInfo);
  }

  /**
   * The latest response of a connection. It is Node.js's and not Fastify's, which would keep the body of a request in memory for as
   * long as its connection is idle.
   */
  latestResponse(socket: Socket): ServerResponse | undefined {
    return this.latest.get(socket);
  }

  /** Keep so many connections open at each address; a further one is closed at once, which is told by the event `drop`. */
  limitConnections(max: number): void {
    for (const server of [this, ...this.others]) server.maxConnections = max;
  }

  /** Called by Fastify, when the application is complete. */
  override listen(...call: never[]): this {
    this.current = this.application;
    if (!this.listening) return super.listen(...(call as unknown as [number]));
    process.nextTick(() => this.emit('listening'));
    return this;
  }

  override close(done?: (error?: Error) => void): this {
    for (const other of this.others) other.close();
    return super.close(done);
  }

  private async listenAtOtherAddresses({ address: own, port }: AddressInfo): Promise<void> {
    const addresses = await lookup('localhost', { all: true });
    for (const { address } of addresses) {
      if (address === own) continue;
      const other = createServer((socket: Socket) => this.emit('connection', socket));
      other.maxConnections = this.maxConnections;
      other.on('drop', () => this.emit('drop'));
      // A machine may name an address in its list of hosts that it does not have.
      const isOpen = await once(other.listen({ port, host: address, backlog: BACKLOG }), 'listening').then(
        () => true,
        () => false,
      );
      if (isOpen) this.others.push(other);
    }
  }
}

/** The error of a port that is not available. */
function cannotListen(port: number, host: string, cause: unknown): StartError {
  const { code } = cause as { code?: string };
  const reason =
    code === 'EADDRINUSE'
      ? 'another program listens there already; stop it, or choose another PORT'
      : systemReason(cause);
  return new StartError(`The service cannot listen on ${host}:${port}: ${reason}.`, { cause });
}
