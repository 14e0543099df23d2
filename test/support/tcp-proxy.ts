import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Transform } from 'node:stream';
import { elapse } from './wait-until.js';

/** A TCP proxy in front of a server, whose connections a test can cut, silence or slow down. */
export interface TcpProxy {
  /** The address of the target through the proxy. */
  readonly through: (url: string) => string;
  /** Close every connection and refuse new ones. */
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
  /**
   * Keep the open connections but forward nothing more on them; new ones work. Connections of an earlier silence that their
   * callers have abandoned are closed on the target's side, as TCP keep-alive would. @returns how many are silent
   */
  readonly silence: () => number;
  /** Route new connections to another server; open connections stay. */
  readonly redirect: (url: string) => void;
  /** Hold back everything that the target sends from now on, until it closes the connection. */
  readonly hold: () => void;
  /** Delay each piece of data by this many milliseconds from now on. */
  readonly slow: (ms: number) => void;
  /**
   * Close each new connection after some bytes, anywhere in a request or a response.
   *
   * @param draw how many bytes a new connection carries, in both directions together; undefined for no limit
   */
  readonly tear: (draw: (() => number) | undefined) => void;
}

/** @param targetUrl address of a local server, with its port */
export async function startProxy(targetUrl: string): Promise<TcpProxy> {
  let target = new URL(targetUrl);
  const open = new Set<Socket>();
  /** The caller's socket by its socket to the target. */
  const callers = new Map<Socket, Socket>();
  let pauseMs = 0;
  let draw: (() => number) | undefined;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    callers.set(far, near);
    far.on('close', () => callers.delete(far));
    let left = draw?.() ?? Infinity;
    const forward = async (piece: Buffer): Promise<Buffer> => {
      if (pauseMs > 0) await elapse(pauseMs);
      const part = piece.subarray(0, left);
      left -= piece.length;
      if (left <= 0) {
        setImmediate(() => {
          near.destroy();
          far.destroy();
        });
      }
      return part;
    };
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.pipe(through(forward)).pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => open.delete(socket));
    }
  });
  const listen = async (port: number): Promise<void> => {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    through: (url) => {
      const address = new URL(url);
      address.port = String(port);
      return address.href;
    },
    cut: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
    restore: () => listen(port),
    silence: () => {
      for (const [far, near] of callers) if (near.destroyed) far.destroy();
      for (const socket of open) socket.unpipe().resume();
      return open.size / 2;
    },
    redirect: (url) => {
      target = new URL(url);
    },
    hold: () => {
      for (const caller of callers.values()) caller.cork();
    },
    slow: (ms) => {
      pauseMs = ms;
    },
    tear: (next) => {
      draw = next;
    },
  };
}

function through(forward: (piece: Buffer) => Promise<Buffer>): Transform {
  return new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      forward(piece).then((part) => {
        done(null, part);
      }, done);
    },
  });
}
