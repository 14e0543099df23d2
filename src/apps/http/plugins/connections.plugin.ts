import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Throttle } from '../../../infrastructure/jobs/throttle.js';
import type { HealthService } from '../../../infrastructure/health/health.service.js';
import { readRoundRobin } from './read-round-robin.js';

/** At most one line about too many connections is logged in this time. */
const LOG_INTERVAL_MS = 60_000;

/**
 * Makes sure that every answer arrives. The operating system resets a connection that is closed while its client is still
 * sending, and the client then loses the answer. So the rest of a request that was rejected early is read and discarded.
 * Where the connection must be closed after the answer, the answer waits for that rest, up to the request timeout.
 *
 * While the service stops, every answer closes its connection. A client or load balancer that keeps connections then opens its
 * next one to another instance, and no connection is closed while a request is on its way (choice O4).
 */
export function connectionsPlugin(instance: FastifyInstance, health: HealthService): void {
  const { server } = instance;
  const lines = new Throttle(LOG_INTERVAL_MS);
  server.on('drop', () => {
    if (lines.consume())
      instance.log.warn('connections are closed because there are CONNECTIONS_MAX of them');
  });
  closeAllResponses(instance);
  const keepsConnections = (): boolean => server.listening && !health.isStopping;
  // Node.js would answer an unknown `Expect` with a bare 417; the request is served as if it had none.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  instance.addHook('onSend', ({ raw: request }, reply, _payload, done) => {
    if (!keepsConnections()) reply.header('connection', 'close');
    // Fastify closes the connection after every body that it rejects.
    else if (reply.hasHeader('connection')) reply.removeHeader('connection');
    if (request.complete) {
      done();
      return;
    }
    readRoundRobin(request);
    if (reply.raw.shouldKeepAlive && keepsConnections()) {
      done();
      return;
    }
    finished(request, () => {
      done();
    });
  });
}

/**
 * Reports the end of a connection to all its responses. When a client sends requests without waiting for the answers (pipelining),
 * Node.js reports the end only to the response that is being sent. Code that waits for the end of another one would wait forever.
 */
function closeAllResponses(instance: FastifyInstance): void {
  const open = new WeakMap<Socket, ServerResponse[]>();
  instance.addHook('onRequest', ({ raw: { socket } }, { raw: response }, done) => {
    const others = open.get(socket);
    if (!others) {
      socket.once('close', () => {
        // Wait until Node.js has reported it.
        process.nextTick(() => {
          for (const one of open.get(socket) ?? []) if (!one.closed) close(one);
        });
      });
    }
    open.set(socket, [...(others ?? []).filter(({ closed }) => !closed), response]);
    done();
  });
}

/** Close a response as Node.js closes the one being sent, so that code that checks or starts to wait later sees it too. */
function close(response: ServerResponse): void {
  Object.defineProperty(response, 'closed', { value: true });
  response.destroy().emit('close');
}
