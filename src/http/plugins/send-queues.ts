import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The kernel's tables of TCP connections: Linux only. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];

/** Of a line: ports of both sides, and what is to be sent. All numbers are hexadecimal. */
const LINE = /^ *\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]{8}):/;

/**
 * How many bytes the system holds for each connection: sent or to be sent, and not acknowledged by the other side. The
 * number changes while a client reads slowly, although the system takes more bytes from the process only when the client has
 * read a megabyte or so.
 */
export class SendQueues {
  private current: Promise<ReadonlyMap<string, string>> | undefined;

  /** @param reusedMs how old a number may be; the tables are long when there are many connections */
  constructor(private readonly reusedMs: number) {}

  /** @returns hexadecimal, of connections with the same two ports all numbers; `''` when unknown */
  async of({ localPort = 0, remotePort = 0 }: Socket): Promise<string> {
    this.current ??= this.read();
    return (await this.current).get(`${hexPort(localPort)} ${hexPort(remotePort)}`) ?? '';
  }

  private async read(): Promise<ReadonlyMap<string, string>> {
    setTimeout(() => {
      this.current = undefined;
    }, this.reusedMs).unref();
    const tables = await Promise.all(TABLES.map((name) => readFile(name, 'latin1').catch(() => '')));
    const queues = new Map<string, string>();
    for (const line of tables.join('').split('\n')) {
      const [, local = '', remote = '', queue = ''] = LINE.exec(line) ?? [];
      const ports = `${local} ${remote}`;
      queues.set(ports, (queues.get(ports) ?? '') + queue);
    }
    return queues;
  }
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
