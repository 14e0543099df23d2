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
 *
 * @returns gives the bytes of a connection, of connections with the same two ports their sum; undefined where the system does not tell
 */
export async function sendQueues(): Promise<((socket: Socket) => number) | undefined> {
  const tables = await Promise.all(TABLES.map((name) => readFile(name, 'latin1').catch(() => '')));
  if (tables.join('') === '') return undefined;
  const queues = new Map<string, number>();
  for (const line of tables.join('').split('\n')) {
    const [, local = '', remote = '', queue = '0'] = LINE.exec(line) ?? [];
    const ports = `${local} ${remote}`;
    queues.set(ports, (queues.get(ports) ?? 0) + parseInt(queue, 16));
  }
  return ({ localPort = 0, remotePort = 0 }) =>
    queues.get(`${hexPort(localPort)} ${hexPort(remotePort)}`) ?? 0;
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
