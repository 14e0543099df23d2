import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Environment } from '../../config/settings.js';
import { SendQueues } from './send-queues.js';

/** Why the service closed a connection. */
export const CLOSED_BECAUSE = ['stalled', 'too_many'] as const;
export type ClosedBecause = (typeof CLOSED_BECAUSE)[number];

export interface ConnectionLimits extends Pick<
  Environment,
  'CONNECTIONS_MAX' | 'STALLED_CONNECTION_SECONDS'
> {
  readonly logger: Logger;
  /** Called for every connection that is closed because of a limit. */
  readonly closed: (reason: ClosedBecause) => void;
}

/** A connection that seems to be stalled is looked at this often before it is closed. */
const LOOKS = 4;

/** The log has at most one line in this time about connections that are too many. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Closes a connection whose client reads nothing of an answer for a time, and every connection beyond a number.
 *
 * Source: the settings STALLED_CONNECTION_SECONDS and CONNECTIONS_MAX.
 */
export function connectionLimitsPlugin(instance: FastifyInstance, limits: ConnectionLimits): void {
  limitConnections(instance, limits);
  const stalled = new StalledConnections(limits);
  instance.addHook('onRequest', (_request, { raw: response }, done) => {
    response.on('timeout', stalled.look).setTimeout(stalled.intervalMs);
    done();
  });
}

/** Node.js's own limit does not do: in one of several workers it hands the connection back, to be offered again for ever. */
function limitConnections(
  { server }: FastifyInstance,
  { CONNECTIONS_MAX, closed, logger }: ConnectionLimits,
): void {
  let open = 0;
  let loggedAtMs = -Infinity;
  server.on('connection', (socket: Socket) => {
    if (open < CONNECTIONS_MAX) {
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
      return;
    }
    socket.destroy();
    closed('too_many');
    if (performance.now() - loggedAtMs < LOG_INTERVAL_MS) return;
    loggedAtMs = performance.now();
    logger.warn({ connections: open }, 'connections are closed because there are CONNECTIONS_MAX of them');
  });
}

/** What was seen of a connection that seems to be stalled. */
interface Look {
  readonly progress: string;
  readonly sinceMs: number;
  readonly atMs: number;
}

/**
 * Node.js calls {@link look} when nothing was received or sent on a connection with a running request for a time; it takes
 * a part of a write for progress.
 */
class StalledConnections {
  private readonly looks = new WeakMap<Socket, Look>();
  private readonly stalledMs: number;
  private readonly sendQueues: SendQueues;
  readonly intervalMs: number;

  constructor(private readonly limits: ConnectionLimits) {
    this.stalledMs = limits.STALLED_CONNECTION_SECONDS * 1_000;
    this.intervalMs = this.stalledMs / LOOKS;
    this.sendQueues = new SendQueues(this.intervalMs / 2);
  }

  readonly look = (socket: Socket): void => {
    // Otherwise the request is waiting for its body, which has a time limit of its own, or for the database.
    if (socket.writableLength > 0) void this.closeIfStalled(socket);
  };

  private async closeIfStalled(socket: Socket): Promise<void> {
    const progress = `${socket.bytesWritten - socket.writableLength} ${await this.sendQueues.of(socket)}`;
    if (socket.writableLength === 0 || socket.destroyed) return;
    const atMs = performance.now();
    const before = this.looks.get(socket);
    // Node.js has postponed this look when it saw progress.
    const isSame = before?.progress === progress && atMs - before.atMs < 2 * this.intervalMs;
    const sinceMs = isSame ? before.sinceMs : atMs - this.intervalMs;
    if (atMs - sinceMs < this.stalledMs) {
      this.looks.set(socket, { progress, sinceMs, atMs });
      socket.setTimeout(this.intervalMs);
      return;
    }
    socket.destroy();
    this.limits.closed('stalled');
  }
}
