import type { RequestListener } from 'node:http';
import { finished } from 'node:stream';
import type { Logger } from 'pino';
import { AppError, ERRORS } from '../../infrastructure/errors/errors.js';
import { requestId } from '../../infrastructure/log/request-origin.js';
import { LIVE, type Readiness } from '../../infrastructure/health/health.types.js';
import { ANSWER_HEADERS } from './plugins/answer-headers.plugin.js';

const HEALTH = /^\/health\/(live|ready)\/?(?:\?|$)/;

/** The parts of an answer that differ. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Answers while the service starts, before there is an application and perhaps before there is a database. The probes report that the
 * process is alive and not ready; every other address is answered 503. Every answer closes its connection, so that the application
 * never inherits a connection that it does not know.
 *
 * @param isStopping whether the start is being given up
 * Source: choice O1.
 */
export function startingAnswers(logger: Logger, isStopping: () => boolean): RequestListener {
  return (request, response) => {
    const id = requestId(request);
    // Closing a connection with unread input resets it, and the client would lose the answer.
    finished(request.resume(), () => {
      const [, probe] = HEALTH.exec(request.url ?? '') ?? [];
      const { status, headers, body } = answerTo(probe, isStopping());
      const text = JSON.stringify(body);
      response.writeHead(status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        'x-request-id': id,
        ...ANSWER_HEADERS,
        connection: 'close',
        ...headers,
      });
      response.end(text);
      const level = probe === undefined ? 'info' : 'debug';
      logger[level]({ request_id: id, method: request.method, status }, 'answered while starting');
    });
  };
}

/** @param probe the last segment of a health address; undefined for any other address */
function answerTo(probe: string | undefined, isStopping: boolean): Answer {
  if (probe === 'live') return { status: 200, headers: {}, body: LIVE };
  const { code, message: detail, headers } = new AppError('service_unavailable', { isExpected: true });
  const { status } = ERRORS[code];
  if (probe === undefined) return { status, headers, body: { detail, code, errors: [] } };
  return { status, headers: {}, body: { status: isStopping ? 'stopping' : 'starting' } satisfies Readiness };
}
