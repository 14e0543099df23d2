import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificates.js';
import { listening, type Listening } from './listening.js';

/** A corporate forward proxy: it accepts `CONNECT` and requests for absolute URLs. */
export interface ForwardProxy {
  readonly url: string;
  /** The requests: `CONNECT host:port`, or method and URL. */
  readonly requests: string[];
  /** The `Proxy-Authorization` header of each request. */
  readonly authorizations: (string | undefined)[];
  readonly stop: () => Promise<void>;
}

/**
 * @param hosts maps each requested `host:port` to a local port; no name server knows these hosts
 * @param refusal status with which the proxy refuses everything
 */
export async function startForwardProxy(
  hosts: Readonly<Record<string, number>>,
  refusal?: number,
): Promise<ForwardProxy> {
  const requests: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const record = (what: string, { headers }: IncomingMessage): void => {
    requests.push(what);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((incoming, response) => {
    record(`${incoming.method} ${incoming.url}`, incoming);
    const { host, pathname, search } = new URL(incoming.url ?? '');
    const passed = request({
      port: hosts[host],
      method: incoming.method,
      path: pathname + search,
      headers: incoming.headers,
    });
    passed.on('response', (answer) =>
      answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers)),
    );
    incoming.pipe(passed);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Socket) => {
    record(`CONNECT ${incoming.url}`, incoming);
    const port = hosts[incoming.url ?? ''];
    if (refusal !== undefined || port === undefined) {
      socket.end(`HTTP/1.1 ${refusal ?? 502} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    joined(socket, target);
  });
  return { ...(await listening(server)), requests, authorizations };
}

/** Start a TLS terminator in front of the service. */
export async function startTlsFront(targetUrl: string, certificate: Certificate): Promise<Listening> {
  const { port, hostname } = new URL(targetUrl);
  return listening(
    createTlsServer(certificate, (socket) => {
      joined(socket, connect(Number(port), hostname));
    }),
  );
}

function joined(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on('error', () => to.destroy()).on('close', () => to.destroy());
  }
}
