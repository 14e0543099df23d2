import type { FastifyReply } from 'fastify';
import { logError } from '../log/log-error.js';
import { toAppError } from '../errors/to-app-error.js';

/**
 * The chunks of a streamed answer. When one cannot be read, the connection is closed, which is the only way to show the
 * client that the answer is incomplete; the error is logged once, with the request's id, and not thrown again, because
 * every stream it passes through would log it without the id.
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

/** Do something when an answer has been sent, or its connection has ended before. */
export function atEnd({ raw, request }: FastifyReply, act: () => void): void {
  if (raw.closed || request.raw.socket.destroyed) act();
  else raw.once('close', act);
}

/** Fires when an answer has been sent, or nobody waits for it any more. */
export function endOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  atEnd(reply, () => {
    gone.abort();
  });
  return gone.signal;
}
