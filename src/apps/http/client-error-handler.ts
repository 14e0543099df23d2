import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ERRORS, type ErrorCode } from '../../infrastructure/errors/errors.js';
import { originMembers, originOf, requestId } from '../../infrastructure/log/request-origin.js';
import { timeOrderedId } from '../../infrastructure/text/uuid.js';
import { HEADERS_BYTES_MAX, type ServiceServer } from './service-server.js';
import { ANSWER_HEADERS } from './plugins/answer-headers.plugin.js';

/**
 * Answers input that never becomes a request: malformed HTTP, a request that does not arrive in time, and `CONNECT`. The answer
 * has the usual error body. It is written to the connection, which is then closed.
 *
 * Source: choices T2, T3, T4.
 */
export class ClientErrorHandler {
  /** Connections on which malformed HTTP was received; nothing after it can be parsed. */
  private readonly broken = new WeakSet<Socket>();
  /** The answer's detail, by Node.js error code. */
  private readonly details: Readonly<Record<string, string>>;

  constructor(
    private readonly logger: Logger,
    private readonly server: ServiceServer,
  ) {
    this.details = {
      HPE_HEADER_OVERFLOW: `The request line and headers are larger than ${HEADERS_BYTES_MAX} bytes.`,
      ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
    };
    // Node.js would close the connection without an answer. A tunnel's target is no address of this service, so the answer is 404.
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      const id = requestId(request);
      const line = { method: 'CONNECT', status: ERRORS.not_found.status };
      this.logger.info({ ...originMembers(originOf({ id, headers: request.headers })), ...line }, 'answered');
      this.answerAndClose(socket, 'not_found', ERRORS.not_found.detail, id);
    });
  }

  /** Answer a connection from which Node.js could not read a request. */
  handle(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    if (this.broken.has(socket)) return;
    this.broken.add(socket);
    const id = timeOrderedId(Date.now());
    this.logger.info(
      { request_id: id, reason: error.code, status: ERRORS.parse_error.status },
      'malformed request',
    );
    const detail = this.details[error.code ?? ''] ?? 'The request is not valid HTTP.';
    const answer = (): void => {
      this.answerAndClose(socket, 'parse_error', detail, id);
    };
    const last = this.server.latestResponse(socket);
    if (last?.req.complete === true && !last.writableFinished) {
      // The complete request before this one is answered first; otherwise the client would mistake one answer for the other.
      last.once('finish', answer);
    } else if (last?.req.complete === false && last.headersSent) {
      // The malformed input is the rest of a request that has already been rejected.
      this.close(socket);
    } else {
      answer();
    }
  }

  private answerAndClose(socket: Socket, code: ErrorCode, detail: string, id: string): void {
    const { status } = ERRORS[code];
    const body = JSON.stringify({ detail, code, errors: [] });
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${id}`,
      ...Object.entries(ANSWER_HEADERS).map(([name, value]) => `${name}: ${value}`),
      'Connection: close',
      '',
      '',
    ];
    this.close(socket, head.join('\r\n') + body);
  }

  /** Close a connection once everything written to it is sent. @param text written first */
  private close(socket: Socket, text = ''): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    // An error here means that the client has left, and it needs no answer.
    socket.on('error', () => undefined);
    socket.end(text);
    // Closing a connection with unread input resets it, and the client would lose the answer.
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), this.server.timeouts.closeMs);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }
}
