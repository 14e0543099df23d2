import type { FastifyReply } from 'fastify';
import { atAnswerEnd } from './answer-end.js';
import { logError } from './log-error.js';
import { toAppError } from './to-app-error.js';

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

/** Fires when an answer has been sent, or nobody waits for it any more. */
export function endOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  atAnswerEnd(raw, () => {
    gone.abort();
  });
  return gone.signal;
}
