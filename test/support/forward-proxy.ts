import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Certificate } from './certificates.js';
import { listening, type Listening } from './listening.js';

/** A proxy as companies have it: clients ask it for connections (`CONNECT`) and for whole addresses. */
export interface ForwardProxy {
  readonly url: string;
  /** What it was asked for: `CONNECT host:port`, or method and address. */
  readonly asked: string[];
  /** The `Proxy-Authorization` of each. */
  readonly authorizations: (string | undefined)[];
  readonly stop: () => Promise<void>;
}

/**
 * @param hosts by host and port, as they are asked for, the port of this machine that they are: no other name server knows them
 * @param refusal status with which everything is refused
 */
export async function startForwardProxy(
  hosts: Readonly<Record<string, number>>,
  refusal?: number,
): Promise<ForwardProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const note = (what: string, { headers }: IncomingMessage): void => {
    asked.push(what);
    authorizations.push(headers['proxy-authorization']);
  };
  const server = createServer((incoming, response) => {
    note(`${incoming.method} ${incoming.url}`, incoming);
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
    note(`CONNECT ${incoming.url}`, incoming);
    const port = hosts[incoming.url ?? ''];
    if (refusal !== undefined || port === undefined) {
      socket.end(`HTTP/1.1 ${refusal ?? 502} Refused\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connected\r\n\r\n'));
    joined(socket, target);
  });
  return { ...(await listening(server)), asked, authorizations };
}

/** The service behind encryption. */
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
