import type { FastifyReply } from 'fastify';
import { logError } from '../log/log-error.js';
import { toAppError } from '../errors/to-app-error.js';

/**
 * The chunks of a streamed response. If one cannot be read, the connection is closed, which is the only way to show the client
 * that the response is incomplete. The error is logged once, with the request's id, and not thrown again, because every stream on
 * its way would log it without the id.
 */
export async function* abortOnError<Chunk>(
  chunks: AsyncIterable<Chunk>,
  reply: FastifyReply,
): AsyncGenerator<Chunk> {
  try {
    yield* chunks;
  } catch (error) {
    if (reply.raw.destroyed) return;
    logError(toAppError(error), reply.request);
    reply.raw.destroy();
  }
}

/** Do something when a response has been sent, or when its connection has ended before that. */
export function atEnd({ raw, request }: FastifyReply, act: () => void): void {
  if (raw.closed || request.raw.socket.destroyed) act();
  else raw.once('close', act);
}

/** Fires when a response has been sent, or the client no longer waits for it. */
export function endOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  atEnd(reply, () => {
    gone.abort();
  });
  return gone.signal;
}
