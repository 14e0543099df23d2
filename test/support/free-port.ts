import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral port range, so that the port stays free until it is used. */
const [FIRST, COUNT] = [10_000, 20_000];

/** Find a free port of 127.0.0.1 for a program that cannot choose one itself. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
}
