import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { Server, type RequestListener, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { StartError } from '../../infrastructure/config/env.js';
import { systemReason } from '../../infrastructure/config/system-reason.js';
import type { Environment } from '../../infrastructure/config/settings.js';

/** The limit of request line and headers together. The longest path and a token need less than a third of it. */
export const HEADERS_BYTES_MAX = 16_384;

/** How long the server waits for a client, in milliseconds. */
export interface ConnectionTimeouts {
  /** A client that has not sent its headers after this time is disconnected. */
  readonly headersMs: number;
  /** A client that has not sent its whole request after this time is disconnected. */
  readonly requestMs: number;
  /** How often the two timeouts above are checked. */
  readonly checkIntervalMs: number;
  /** A connection without a request is closed after this time. */
  readonly keepAliveMs: number;
  /** A connection on which no byte moves is closed after this time, even during an answer that the client does not read. */
  readonly idleMs: number;
  /** A connection that can no longer be used is closed after this time, even when the client keeps it open. */
  readonly closeMs: number;
}

/** Keep-alive exceeds the 60 s for which load balancers keep a connection open. */
export const CONNECTION_TIMEOUTS: ConnectionTimeouts = {
  headersMs: 30_000,
  requestMs: 120_000,
  checkIntervalMs: 30_000,
  keepAliveMs: 72_000,
  idleMs: 120_000,
  closeMs: 5_000,
};

/**
 * How many new connections the operating system queues until the service accepts them; `somaxconn` may lower it. With the Node.js
 * default of 511, a burst from one client makes the connections of others wait for a second or more.
 */
const BACKLOG = 4_096;

/**
 * The HTTP server of the service. It can listen before there is an application, and hands the port over to the application without
 * a gap.
 *
 * Source: choice O1.
 */
export class ServiceServer extends Server {
  /** Answers requests once the application listens. */
  application: RequestListener | undefined;
  private current: RequestListener | undefined;
  private readonly latest = new WeakMap<Socket, ServerResponse>();
  /** `localhost` has one address for IPv4 and one for IPv6. */
  private readonly others: NetServer[] = [];

  constructor(readonly timeouts: ConnectionTimeouts = CONNECTION_TIMEOUTS) {
    super({
      maxHeaderSize: HEADERS_BYTES_MAX,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: timeouts.keepAliveMs,
      connectionsCheckingInterval: timeouts.checkIntervalMs,
      // Node.js would answer a missing Host in its own format; routing-errors.plugin.ts rejects it in the usual one.
      requireHostHeader: false,
    });
    this.timeout = timeouts.idleMs;
    this.on('request', (request, response) => {
      this.latest.set(request.socket, response);
      this.current?.(request, response);
    });
  }

  /**
   * Listen before the application does.
   *
   * @param first answers requests until then
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
   * The latest response of a connection. It is the Node.js object: Fastify's would keep the request body in memory for as long as the
   * connection is idle.
   */
  latestResponse(socket: Socket): ServerResponse | undefined {
    return this.latest.get(socket);
  }

  /** Limit the open connections at each address. A further one is closed at once and reported by the event `drop`. */
  limitConnections(max: number): void {
    for (const server of [this, ...this.others]) server.maxConnections = max;
  }

  /** Called by Fastify when the application is complete. */
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
      // A machine's hosts file may list an address that the machine does not have.
      const isOpen = await once(other.listen({ port, host: address, backlog: BACKLOG }), 'listening').then(
        () => true,
        () => false,
      );
      if (isOpen) this.others.push(other);
    }
  }
}

function cannotListen(port: number, host: string, cause: unknown): StartError {
  const { code } = cause as { code?: string };
  const reason =
    code === 'EADDRINUSE'
      ? 'another program listens there already; stop it, or choose another PORT'
      : systemReason(cause);
  return new StartError(`The service cannot listen on ${host}:${port}: ${reason}.`, { cause });
}
