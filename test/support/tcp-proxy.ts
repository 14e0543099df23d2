import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

/** A proxy in front of the database that a test can cut, or make silent. */
export interface TcpProxy {
  /** The address of the target, through the proxy. */
  readonly through: (url: string) => string;
  /** Break every connection and refuse new ones. */
  readonly cut: () => Promise<void>;
  readonly restore: () => Promise<void>;
  /** Forward nothing more of the open connections and keep them open; new ones work. @returns how many */
  readonly silence: () => number;
  /** Hold back what the target sends from now on; all of it arrives when the target ends the connection. */
  readonly hold: () => void;
}

/** @param targetUrl address of a server on this machine, with its port */
export async function startProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const open = new Set<Socket>();
  const callers = new Set<Socket>();
  const server = createServer((near) => {
    callers.add(near);
    near.on('close', () => callers.delete(near));
    const far = connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
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
      for (const socket of open) socket.unpipe().resume();
      return open.size / 2;
    },
    hold: () => {
      for (const caller of callers) caller.cork();
    },
  };
}
