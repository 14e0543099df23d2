import { connect } from 'node:net';

/** An answer read from the bare connection. */
export interface RawReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Send bytes that no HTTP client would send, and read until the service closes the connection.
 *
 * @param parts written one after the other; ask for `Connection: close` where the service would keep it open
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
