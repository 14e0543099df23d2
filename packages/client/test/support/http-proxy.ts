import { once } from 'node:events';
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { listening } from '../../../../test/support/listening.js';

/** Handles one request in place of forwarding it. */
export type Fault = (
  incoming: Received,
  response: ServerResponse,
  forward: () => Promise<Forwarded>,
) => unknown;

/** A completely received request. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Closes the connection without sending anything more. */
  readonly cut: () => void;
}

interface Forwarded {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A proxy in front of the service, with faults that a test injects. */
export interface HttpProxy {
  readonly url: string;
  /** Requests so far, except those for tokens, which are in `tokenRequests`. */
  readonly requests: Received[];
  readonly tokenRequests: Received[];
  /** Each fault applies to one request, in order; further requests are forwarded. */
  readonly faults: Fault[];
  readonly tokenFaults: Fault[];
  /** The maximum number of connections open at the same time. */
  readonly connectionsMax: () => number;
  readonly stop: () => Promise<void>;
}

/** @param choose the fault of a request that none of `faults` is for */
export async function startHttpProxy(
  targetUrl: string,
  choose: (received: Received) => Promise<Fault | undefined> | undefined = () => undefined,
): Promise<HttpProxy> {
  const [requests, tokenRequests, faults, tokenFaults]: [Received[], Received[], Fault[], Fault[]] = [
    [],
    [],
    [],
    [],
  ];
  let connectionsMax = 0;
  let connections = 0;
  const server = createServer((incoming, response) => {
    const handle = async (): Promise<unknown> => {
      const received = await read(incoming);
      const isToken = received.body.includes('obtainServiceToken');
      (isToken ? tokenRequests : requests).push(received);
      const fault = (isToken ? tokenFaults : faults).shift() ?? (await choose(received));
      const forward = (): Promise<Forwarded> => forwarded(targetUrl, incoming, received);
      if (fault) return fault(received, response, forward);
      const { status, headers, body } = await forward();
      return response.writeHead(status, headers).end(body);
    };
    handle().catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket) => {
    connections += 1;
    connectionsMax = Math.max(connectionsMax, connections);
    socket.on('close', () => (connections -= 1));
  });
  return {
    ...(await listening(server)),
    requests,
    tokenRequests,
    faults,
    tokenFaults,
    connectionsMax: () => connectionsMax,
  };
}

async function read(incoming: IncomingMessage): Promise<Received> {
  const parts = await incoming.toArray();
  return {
    path: incoming.url ?? '',
    headers: incoming.headers,
    body: Buffer.concat(parts as Buffer[]).toString('utf8'),
    cut: () => incoming.socket.destroy(),
  };
}

async function forwarded(
  targetUrl: string,
  { method, url, headers }: IncomingMessage,
  { body }: Received,
): Promise<Forwarded> {
  const sent = request(targetUrl + (url ?? ''), { method: method ?? 'GET', headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const passedOn = Object.entries(answer.headers).filter(([name]) => name !== 'transfer-encoding');
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(passedOn),
    body: Buffer.concat((await answer.toArray()) as Buffer[]),
  };
}

/** Answer like the service, or like a proxy in front of it. */
export function answer(
  status: number,
  headers: Record<string, string> = {},
  body: unknown = errorBody(status),
): Fault {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const type = typeof body === 'string' ? 'text/html' : 'application/json';
  return (_incoming, response) => response.writeHead(status, { 'content-type': type, ...headers }).end(text);
}

function errorBody(status: number): unknown {
  return { detail: 'A test says so.', code: `code_${status}`, errors: [] };
}

/** Break the connection before the service gets the request. */
export const cutBefore: Fault = ({ cut }) => {
  cut();
};

/** Break the connection after the service has answered, before the answer reaches the client. */
export const cutAfter: Fault = async ({ cut }, _response, forward) => {
  await forward();
  cut();
};

/** Never answer. */
export const silence: Fault = () => undefined;
