import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { ConnectionError, InvalidInputError, TimeoutError } from './errors.js';
import { routeTo, type Route, type RouteOptions } from './route.js';

/** An HTTP request. */
export interface Message {
  readonly method: 'GET' | 'POST';
  /** Path and query below the base URL; begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: Buffer | undefined;
  readonly requestId: string;
  /** Timeout for the complete answer or, for a stream, for its next part. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request may be sent again even if it may already have been stored. */
  readonly isRepeatable: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly requestId: string;
}

/** An answer whose body is read while it arrives. */
export interface OpenAnswer extends Omit<Answer, 'text'> {
  /** Reads the rest of the body as text. */
  readonly text: () => Promise<string>;
  /** The parts of the body. The connection is closed when the reader stops early. */
  readonly chunks: () => AsyncGenerator<Buffer, void, undefined>;
}

export interface TransportOptions extends RouteOptions {
  readonly baseUrl: string;
  readonly connections: number;
}

/** Permanent failures of a connection: certificates, servers that do not speak the protocol, a closed client. */
const PERMANENT =
  /^(ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO|HPE_|ERR_INVALID_|UND_ERR_PRX_TLS|UND_ERR_DESTROYED|PROXY_ANSWERED_4)/;

/** Sends requests on persistent connections. Knows nothing about tokens, retries or the meaning of answers. */
export class Transport {
  readonly #route: Route;
  readonly #dispatcher: Dispatcher;
  readonly #connections: number;
  /** Each list has its own connection. Otherwise a request sent while reading a list could wait for that list's connection forever. */
  readonly #dispatcherForLists: Dispatcher;
  /** Number of requests that have or await a connection. */
  #pending = 0;

  constructor({ baseUrl, connections, ...options }: TransportOptions) {
    this.#route = routeTo(parsed(baseUrl), options, process.env);
    this.#connections = connections;
    this.#dispatcher = this.#route.dispatcher(connections);
    this.#dispatcherForLists = this.#route.dispatcher(null);
  }

  /** Close all connections; requests in progress fail. */
  close(): void {
    void this.#dispatcher.destroy();
    void this.#dispatcherForLists.destroy();
  }

  /** @throws ConnectionError, TimeoutError, or the reason of the signal */
  async send(message: Message): Promise<Answer> {
    const exchange = new Exchange(message, this.#route, this.#pending >= this.#connections);
    this.#pending += 1;
    try {
      const answer = await exchange.answer(this.#dispatcher);
      return { ...answer, text: await exchange.text() };
    } finally {
      this.#pending -= 1;
    }
  }

  /** Like {@link send}, but the caller reads the answer, and the timeout applies between two parts of it. */
  async stream(message: Message): Promise<OpenAnswer> {
    const exchange = new Exchange(message, this.#route, false);
    const answer = await exchange.answer(this.#dispatcherForLists);
    return { ...answer, text: () => exchange.text(), chunks: () => exchange.chunks() };
  }
}

/** One request and its answer, with one timeout and one failure. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #message: Message;
  readonly #route: Route;
  /** Whether all connections are in use. The timeout then begins when this exchange gets one. */
  readonly #mustQueue: boolean;
  #controller: Dispatcher.DispatchController | undefined;
  #resolve: (answer: Omit<Answer, 'text'>) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;
  /** The body of the answer, set once the head has arrived. */
  #body: Readable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isTimedOut = false;
  /** Whether the exchange was aborted or the answer has arrived completely. */
  #isOver = false;
  /** Whether any byte of the request can have reached the service. */
  #isConnected = false;

  constructor(message: Message, route: Route, mustQueue: boolean) {
    this.#message = message;
    this.#route = route;
    this.#mustQueue = mustQueue;
    message.signal?.throwIfAborted();
    message.signal?.addEventListener('abort', this.#giveUp);
  }

  /** Send the request. @returns the head of the answer, as soon as it has arrived */
  answer(dispatcher: Dispatcher): Promise<Omit<Answer, 'text'>> {
    const { method, path, headers, body } = this.#message;
    const { origin, prefix, headers: ofProxy } = this.#route;
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      if (!this.#mustQueue) this.#watch();
      const request = { origin, method, path: prefix + path, headers: { ...headers, ...ofProxy } };
      dispatcher.dispatch({ ...request, body: body ?? null }, this);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The exchange was aborted while it waited for a connection.
    if (this.#isOver) {
      controller.abort(new Error('given up'));
      return;
    }
    this.#isConnected = true;
    this.#watch();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status < 200) return;
    this.#body = new Readable({
      read: () => {
        controller.resume();
      },
    });
    // A reader receives a failure with its next read. Between reads, an unhandled error event would end the process.
    this.#body.on('error', () => undefined);
    const answered = headers['x-request-id'];
    const requestId = typeof answered === 'string' ? answered : this.#message.requestId;
    this.#resolve({ status, headers, requestId });
  }

  onResponseData(controller: Dispatcher.DispatchController, part: Buffer): void {
    if (this.#body?.push(part) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#isOver = true;
    this.#body?.push(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#fail(this.#failure(error));
  }

  async text(): Promise<string> {
    const parts: Buffer[] = [];
    try {
      for await (const part of this.#body ?? []) parts.push(part as Buffer);
    } finally {
      this.#finish();
    }
    const [only] = parts;
    return (parts.length === 1 && only ? only : Buffer.concat(parts)).toString('utf8');
  }

  async *chunks(): AsyncGenerator<Buffer, void, undefined> {
    const parts = this.#body?.[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      for (;;) {
        // The timeout does not include the time that the reader takes to process a part.
        this.#watch();
        const next = await parts.next();
        this.#unwatch();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      this.#finish();
      if (!this.#isOver) this.#breakOff(new Error('given up'));
    }
  }

  #watch(): void {
    this.#unwatch();
    this.#timer = setTimeout(() => {
      this.#isTimedOut = true;
      this.#giveUp();
    }, this.#message.timeoutMs);
  }

  readonly #giveUp = (): void => {
    if (this.#body?.readableEnded === true) return;
    const failure = this.#failure();
    this.#breakOff(failure);
    this.#fail(failure);
  };

  /** An exchange that still waits for a connection is aborted when it gets one. */
  #breakOff(reason: Error): void {
    this.#isOver = true;
    this.#controller?.abort(reason);
  }

  #fail(failure: Error): void {
    this.#isOver = true;
    this.#finish();
    this.#reject(failure);
    this.#body?.destroy(failure);
  }

  #finish(): void {
    this.#unwatch();
    this.#message.signal?.removeEventListener('abort', this.#giveUp);
  }

  #unwatch(): void {
    clearTimeout(this.#timer);
  }

  /** The error that a failure of the connection means for the caller. */
  #failure(cause?: NodeJS.ErrnoException): Error {
    const { signal, requestId, timeoutMs, isRepeatable } = this.#message;
    if (signal?.aborted === true) return signal.reason as Error;
    const wasSent = this.#isConnected ? ' The request may have been stored.' : '';
    const isSafe = isRepeatable || !this.#isConnected;
    const known = cause && systemError(cause);
    if (this.#isTimedOut || /^UND_ERR_(CONNECT|HEADERS)_TIMEOUT$/.test(known?.code ?? '')) {
      const detail = `No complete answer within ${timeoutMs} ms.${wasSent}`;
      return new TimeoutError({ code: 'timeout', detail, requestId, retryable: isSafe });
    }
    const reason = known?.code ?? 'no reason given';
    const way = this.#route.proxy === undefined ? '' : ` through the proxy ${this.#route.proxy}`;
    return new ConnectionError({
      code: 'connection_failed',
      detail: `The connection to the service${way} failed: ${reason}.${wasSent}`,
      requestId,
      retryable: isSafe && !PERMANENT.test(reason),
      cause: known,
    });
  }
}

/** An undici error as a system error: `ECONNRESET`, or the status with which a proxy refused a tunnel. */
function systemError(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const [, status] = /^Proxy response \((\d+)\)/.exec(error.message) ?? [];
  const code = error.code === 'UND_ERR_SOCKET' ? 'ECONNRESET' : status && `PROXY_ANSWERED_${status}`;
  return code === undefined ? error : Object.assign(new Error(error.message, { cause: error }), { code });
}

/** @throws InvalidInputError without the URL, which may contain a password */
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
