import type { RequestListener } from 'node:http';
import { finished } from 'node:stream';
import type { Logger } from 'pino';
import { AppError, ERRORS } from '../../infrastructure/errors/errors.js';
import { requestId } from '../../infrastructure/log/request-origin.js';
import { LIVE, type Readiness } from '../../infrastructure/health/health.types.js';
import { ANSWER_HEADERS } from './plugins/answer-headers.plugin.js';

const HEALTH = /^\/health\/(live|ready)\/?(?:\?|$)/;

/** The answer, without what is the same for all of them. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Answers while the service starts, when there is no application yet and perhaps no database: the process is alive, it does
 * not take requests, and every other address is answered 503. Every answer closes its connection, so that none stays that
 * the application does not know.
 *
 * @param isStopping whether the start is being given up
 * Source: choice O1.
 */
export function startingAnswers(logger: Logger, isStopping: () => boolean): RequestListener {
  return (request, response) => {
    const id = requestId(request);
    // A connection that is closed with unread input is reset, and the client would lose the answer.
    finished(request.resume(), () => {
      const [, what] = HEALTH.exec(request.url ?? '') ?? [];
      const { status, headers, body } = answerTo(what, isStopping());
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
      const level = what === undefined ? 'info' : 'debug';
      logger[level]({ request_id: id, method: request.method, status }, 'answered while starting');
    });
  };
}

/** @param what the health address, if it is one */
function answerTo(what: string | undefined, isStopping: boolean): Answer {
  if (what === 'live') return { status: 200, headers: {}, body: LIVE };
  const { code, message: detail, headers } = new AppError('service_unavailable', { isExpected: true });
  const { status } = ERRORS[code];
  if (what === undefined) return { status, headers, body: { detail, code, errors: [] } };
  return { status, headers: {}, body: { status: isStopping ? 'stopping' : 'starting' } satisfies Readiness };
}
