import { connect } from 'node:net';
import type { ErrorCode } from '../../src/infrastructure/errors/errors.js';

/** A response read from the connection without an HTTP client. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Send bytes that no HTTP client would send, and read until the service closes the connection.
 *
 * @param parts written in this order; send `Connection: close` where the service would keep the connection open
 */
export function sendRaw(baseUrl: string, ...parts: (string | Buffer)[]): Promise<RawReply> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      resolve(parse(Buffer.concat(received).toString('utf8')));
    });
  });
}

function parse(message: string): RawReply {
  const [head = '', ...rest] = message.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Headers(
      lines.map((line): [string, string] => [
        line.slice(0, line.indexOf(':')),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    text: rest.join('\r\n\r\n'),
  };
}

/** The head of a request with `Connection: close`. @param line method and path */
export function requestHead(line: string, token: string, ...headers: string[]): string {
  return [
    `${line} HTTP/1.1`,
    'Host: localhost',
    `Authorization: Token ${token}`,
    'Connection: close',
    ...headers,
    '',
    '',
  ].join('\r\n');
}

/** Expect an error with the usual body and headers. */
export function expectRawError(reply: RawReply, status: number, code: ErrorCode): void {
  const body = JSON.parse(reply.text) as { code: string };
  expect({ status: reply.status, code: body.code }).toEqual({ status, code });
  expect(Object.keys(body)).toEqual(['detail', 'code', 'errors']);
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-request-id')).toMatch(/^[\w.-]{1,128}$/);
}
