import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A test's server on a local port. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Close the server with all of its connections. */
  readonly stop: () => Promise<void>;
}

/** Let a server listen on a free port. */
export async function listening(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
