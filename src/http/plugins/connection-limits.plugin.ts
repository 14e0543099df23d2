import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Budget } from '../../budget/budget.js';
import { BackgroundJob } from '../../common/background-job.js';
import { Throttle } from '../../common/throttle.js';
import { openConnection } from './budget.plugin.js';
import { SlowReaders, type SlowReadersOptions } from './slow-readers.js';

/** Why the service closed a connection. */
export const CLOSED_BECAUSE = ['stalled', 'too_slow', 'too_many'] as const;
export type ClosedBecause = (typeof CLOSED_BECAUSE)[number];

export interface ConnectionLimits extends SlowReadersOptions {
  readonly budget: Budget;
  readonly logger: Logger;
}

/** The log has at most one line in this time about connections that are too many. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Closes a connection whose client reads nothing of an answer for a time, or too little, and every connection beyond a number.
 *
 * Source: the settings STALLED_CONNECTION_SECONDS and CONNECTIONS_MAX; choice T18.
 */
export function connectionLimitsPlugin(instance: FastifyInstance, limits: ConnectionLimits): void {
  const open = limitConnections(instance, limits);
  const readers = new SlowReaders(limits);
  const sweep = new BackgroundJob({
    intervalMs: readers.intervalMs,
    run: () => readers.look(open),
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
  { budget, closed, logger }: ConnectionLimits,
): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  const lines = new Throttle(LOG_INTERVAL_MS);
  server.on('connection', (socket: Socket) => {
    if (openConnection(socket, budget)) {
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
