import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { readInTurns } from './read-in-turns.js';

/**
 * Makes sure that every answer arrives. The operating system resets a connection that is closed while its client is still
 * sending, and the client then loses the answer. So the rest of a request that was refused early is read and discarded,
 * and where the connection has to be closed after the answer, the answer waits for that rest, at most for the request
 * timeout.
 *
 * While the service stops, every answer closes its connection, because an open one would delay the stop.
 */
export function connectionsPlugin(instance: FastifyInstance): void {
  const { server } = instance;
  // Node.js would answer an unknown `Expect` with a bare 417; the request is served as if it had none.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
  instance.addHook('onSend', ({ raw: request }, reply, _payload, done) => {
    if (!server.listening) reply.header('connection', 'close');
    // Fastify closes the connection after every body that it refused.
    else if (reply.hasHeader('connection')) reply.removeHeader('connection');
    if (request.complete) {
      done();
      return;
    }
    readInTurns(request);
    if (reply.raw.shouldKeepAlive && server.listening) {
      done();
      return;
    }
    finished(request, () => {
      done();
    });
  });
}
