import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { BackgroundJob } from '../../common/background-job.js';
import { Throttle } from '../../common/throttle.js';
import type { Environment } from '../../config/settings.js';
import { sendQueues } from './send-queues.js';

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

/** A connection with bytes waiting is looked at this often in the time after which it counts as stalled. */
const LOOKS = 4;

/** The log has at most one line in this time about connections that are too many. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Closes a connection whose client reads nothing of an answer for a time, and every connection beyond a number.
 *
 * Source: the settings STALLED_CONNECTION_SECONDS and CONNECTIONS_MAX.
 */
export function connectionLimitsPlugin(instance: FastifyInstance, limits: ConnectionLimits): void {
  const open = limitConnections(instance, limits);
  const stalled = new StalledConnections(limits);
  const sweep = new BackgroundJob({
    intervalMs: stalled.intervalMs,
    run: () => stalled.look(open),
    onFailure: (err) => {
      limits.logger.warn({ err }, 'stalled connections could not be looked for');
    },
  });
  sweep.start();
  instance.addHook('onClose', () => sweep.stop());
}

/** Node.js's own limit does not do: in one of several workers it hands the connection back, to be offered again for ever. */
function limitConnections(
  { server }: FastifyInstance,
  { CONNECTIONS_MAX, closed, logger }: ConnectionLimits,
): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const lines = new Throttle(LOG_INTERVAL_MS);
  server.on('connection', (socket: Socket) => {
    if (open.size < CONNECTIONS_MAX) {
      open.add(socket);
      socket.once('close', () => {
        open.delete(socket);
      });
      return;
    }
    socket.destroy();
    closed('too_many');
    if (!lines.consume()) return;
    logger.warn(
      { connections: open.size },
      'connections are closed because there are CONNECTIONS_MAX of them',
    );
  });
  return open;
}

/** What was seen of a connection that seems to be stalled. */
interface Look {
  readonly progress: string;
  /** Looks in a row, after the first, that saw the same. */
  readonly times: number;
}

/**
 * Looks at all connections together: a timer of each answer costs every request more than a look at all of them costs the
 * process.
 */
class StalledConnections {
  private looks: ReadonlyMap<Socket, Look> = new Map();
  readonly intervalMs: number;

  constructor(private readonly limits: ConnectionLimits) {
    this.intervalMs = (limits.STALLED_CONNECTION_SECONDS * 1_000) / LOOKS;
  }

  async look(open: Iterable<Socket>): Promise<void> {
    // Of the others the request is waiting for its body, which has a time limit of its own, or for the database.
    const sending = [...open].filter(({ writableLength }) => writableLength > 0);
    const queueOf = sending.length > 0 ? await sendQueues() : () => '';
    const looks = new Map<Socket, Look>();
    for (const socket of sending) {
      if (socket.writableLength === 0 || socket.destroyed) continue;
      const progress = `${socket.bytesWritten - socket.writableLength} ${queueOf(socket)}`;
      const before = this.looks.get(socket);
      const times = before?.progress === progress ? before.times + 1 : 0;
      looks.set(socket, { progress, times });
      // Looks are counted, not time: after a pause of the whole process a client has had no time to read.
      if (times < LOOKS) continue;
      socket.destroy();
      this.limits.closed('stalled');
    }
    this.looks = looks;
  }
}
