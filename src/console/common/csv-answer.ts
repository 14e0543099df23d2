import type { FastifyReply } from 'fastify';
import { abortOnError } from '../../common/stream-response.js';

/** A CSV file that is saved under a name, as the records of it are read. */
export function csvAnswer(
  reply: FastifyReply,
  fileName: string,
  records: AsyncIterable<string>,
): AsyncIterable<string> {
  void reply.headers({
    'content-type': 'text/csv; charset=utf-8; header=present',
    'content-disposition': `attachment; filename="${fileName}"`,
  });
  return abortOnError(records, reply);
}
