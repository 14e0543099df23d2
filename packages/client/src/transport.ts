import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { ConnectionError, InvalidInputError, TimeoutError } from './errors.js';
import { routeTo, type Route } from './route.js';

/** A request as it goes over the network. */
export interface Message {
  readonly method: 'GET' | 'POST';
  /** Path and query below the base URL; begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: Buffer | undefined;
  readonly requestId: string;
  /** Longest time until the answer is complete; for a stream, until its next part arrives. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it may be sent again although it may have been stored. */
  readonly isRepeatable: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly requestId: string;
}

/** An answer whose body is read while it arrives. */
export interface OpenAnswer extends Omit<Answer, 'text'> {
  /** Reads the rest as one text. */
  readonly text: () => Promise<string>;
  /** The parts of the body; the connection is given up when the reader stops early. */
  readonly chunks: () => AsyncGenerator<Buffer, void, undefined>;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly connections: number;
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
}

/** Failures of a connection that trying again does not mend: certificates, and servers that do not speak the protocol. */
const PERMANENT =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO|HPE_|ERR_INVALID_|PROXY_ANSWERED_4)/;

/** Sends requests on connections that stay open. Knows nothing of tokens, retries and what answers mean. */
export class Transport {
  readonly #route: Route;
  readonly #agent: Agent;
  /** A list has a connection of its own: whoever sends requests while reading one would wait for it forever otherwise. */
  readonly #agentForLists: Agent;

  constructor({ baseUrl, connections, ca }: TransportOptions) {
    const settings = { keepAlive: true, ...(ca !== undefined && { ca: ca as string }) };
    this.#route = routeTo(parsed(baseUrl), settings, process.env);
    this.#agent = this.#route.agent(connections);
    this.#agentForLists = this.#route.agent(Infinity);
  }

  /** Close the connections that nothing is sent on, and break the others. */
  close(): void {
    this.#agent.destroy();
    this.#agentForLists.destroy();
  }

  /** @throws ConnectionError, TimeoutError, or the reason of the signal */
  async send(message: Message): Promise<Answer> {
    const exchange = new Exchange(message, this.#route.proxy, () => this.#open(message, this.#agent));
    const response = await exchange.response();
    const text = await exchange.read(response);
    return { ...headOf(response, message), text };
  }

  /** As {@link send}, but the answer is read by the caller. The time-out is that between two parts of it. */
  async stream(message: Message): Promise<OpenAnswer> {
    const exchange = new Exchange(message, this.#route.proxy, () => this.#open(message, this.#agentForLists));
    const response = await exchange.response();
    return {
      ...headOf(response, message),
      text: () => exchange.read(response),
      chunks: () => exchange.chunks(response),
    };
  }

  #open({ method, path, headers, body }: Message, agent: Agent): ClientRequest {
    const { request, host, port, prefix, headers: ofProxy } = this.#route;
    return request({
      method,
      host,
      port,
      path: prefix + path,
      agent,
      headers: { ...headers, ...ofProxy, ...(body && { 'content-length': String(body.length) }) },
    });
  }
}

/** One request and its answer, with one time limit and one account of what went wrong. */
class Exchange {
  readonly #message: Message;
  /** How the connection goes, for errors. */
  readonly #way: string;
  readonly #request: ClientRequest;
  #response: IncomingMessage | undefined;
  #reject: (error: Error) => void = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #isTimedOut = false;
  /** Whether a byte of the request can have reached the service. */
  #isConnected = false;

  constructor(message: Message, proxy: string | undefined, open: () => ClientRequest) {
    this.#message = message;
    this.#way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
    message.signal?.throwIfAborted();
    this.#request = open();
    message.signal?.addEventListener('abort', this.#giveUp);
  }

  /** Sends the request. @returns the answer, of which only the head has arrived */
  response(): Promise<IncomingMessage> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      this.#reject = (error) => {
        this.#finish();
        reject(error);
      };
      // Not before there is a connection: it may have to wait until another request has ended.
      request.on('socket', (socket) => {
        this.#watch();
        const { connecting, secureConnecting } = socket as TLSSocket & {
          readonly secureConnecting?: boolean;
        };
        if (!connecting && secureConnecting !== true) this.#isConnected = true;
        else
          socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => (this.#isConnected = true));
      });
      request.on('response', (response) => {
        // Whoever reads it learns of a failure; between two reads nobody listens, and the process would end.
        response.on('error', () => undefined);
        this.#response = response;
        resolve(response);
      });
      // Also called when the answer has begun; then reading it fails too.
      request.on('error', (error) => {
        this.#reject(this.#failure(error));
      });
      request.end(this.#message.body);
    });
  }

  async read(response: IncomingMessage): Promise<string> {
    const parts: Buffer[] = [];
    try {
      for await (const part of response) parts.push(part as Buffer);
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#finish();
    }
    const [only] = parts;
    return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString('utf8');
  }

  async *chunks(response: IncomingMessage): AsyncGenerator<Buffer, void, undefined> {
    const parts = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        // The time that the reader takes for a part is not counted.
        this.#watch();
        const next = await parts.next();
        this.#unwatch();
        if (next.done === true) return;
        yield next.value;
      }
    } catch (error) {
      throw this.#failure(error);
    } finally {
      this.#finish();
      response.destroy();
    }
  }

  #watch(): void {
    this.#unwatch();
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true;
      this.#giveUp();
    }, this.#message.timeoutMs);
  }

  /** Not by the option `signal` of Node.js, which breaks a connection that is free again, with an error that nobody hears. */
  readonly #giveUp = (): void => {
    if (this.#response?.readableEnded === true) return;
    this.#request.destroy();
    // One that waits for a connection would tell so only when it gets one.
    this.#reject(this.#failure(undefined));
  };

  #finish(): void {
    this.#unwatch();
    this.#message.signal?.removeEventListener('abort', this.#giveUp);
  }

  #unwatch(): void {
    clearTimeout(this.#timer);
  }

  /** What a failure of the connection is for the caller. */
  #failure(cause: unknown): Error {
    const { signal, requestId, timeoutMs, isRepeatable } = this.#message;
    if (signal?.aborted === true) return signal.reason as Error;
    const wasSent = this.#isConnected ? ' The request may have been stored.' : '';
    const isSafe = isRepeatable || !this.#isConnected;
    if (this.#isTimedOut) {
      const detail = `No complete answer within ${timeoutMs} ms.${wasSent}`;
      return new TimeoutError({ code: 'timeout', detail, requestId, retryable: isSafe });
    }
    const reason = (cause as NodeJS.ErrnoException).code ?? 'no reason given';
    return new ConnectionError({
      code: 'connection_failed',
      detail: `The connection to the service${this.#way} failed: ${reason}.${wasSent}`,
      requestId,
      retryable: isSafe && !PERMANENT.test(reason),
      cause,
    });
  }
}

function headOf({ statusCode = 0, headers }: IncomingMessage, { requestId }: Message): Omit<Answer, 'text'> {
  const answered = headers['x-request-id'];
  return { status: statusCode, headers, requestId: typeof answered === 'string' ? answered : requestId };
}

/** @throws InvalidInputError that does not repeat the URL, which may have a password */
function parsed(baseUrl: string): URL {
  if (!URL.canParse(baseUrl)) throw new InvalidInputError('baseUrl', 'it is not a URL');
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new InvalidInputError('baseUrl', 'it must begin with http:// or https://');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new InvalidInputError('baseUrl', 'it must have no user, password, query or fragment');
  }
  return url;
}
