import { STATUS_CODES, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ERRORS, type ErrorCode } from '../../infrastructure/errors/errors.js';
import { originMembers, originOf, requestId } from '../../infrastructure/log/request-origin.js';
import { timeOrderedId } from '../../infrastructure/text/uuid.js';
import { HEADERS_BYTES_MAX, type ServiceServer } from './service-server.js';
import { ANSWER_HEADERS } from './plugins/answer-headers.plugin.js';

/**
 * Answers what never becomes a request: malformed HTTP, a request that does not arrive in time, and `CONNECT`. The answer
 * has the usual body and is written to the connection, which is then closed.
 *
 * Source: choices T2, T3, T4.
 */
export class ClientErrorHandler {
  /** Connections on which malformed HTTP was received: nothing that follows can be understood. */
  private readonly broken = new WeakSet<Socket>();
  /** The detail of the answer by the error code of Node.js. */
  private readonly details: Readonly<Record<string, string>>;

  constructor(
    private readonly logger: Logger,
    private readonly server: ServiceServer,
  ) {
    this.details = {
      HPE_HEADER_OVERFLOW: `The request line and headers are larger than ${HEADERS_BYTES_MAX} bytes.`,
      ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
    };
    // Node.js would close the connection without an answer; the address of a tunnel is none of this service.
    server.on('connect', (request: IncomingMessage, socket: Socket) => {
      const id = requestId(request);
      const line = { method: 'CONNECT', status: ERRORS.not_found.status };
      this.logger.info({ ...originMembers(originOf({ id, headers: request.headers })), ...line }, 'answered');
      this.answerAndClose(socket, 'not_found', ERRORS.not_found.detail, id);
    });
  }

  /** Node.js could not read a request from a connection. */
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
      // The answer to the complete request before this one goes first, or the client would mistake one for the other.
      last.once('finish', answer);
    } else if (last?.req.complete === false && last.headersSent) {
      // What is malformed is the rest of a request that has been refused already.
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

  /** Close a connection after what has been written to it. @param text written before */
  private close(socket: Socket, text = ''): void {
    if (!socket.writable) {
      socket.destroy();
      return;
    }
    // A client that has left needs no answer.
    socket.on('error', () => undefined);
    socket.end(text);
    // A connection that is closed with unread input is reset, and the client would lose the answer.
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), this.server.timeouts.closeMs);
    socket.once('close', () => {
      clearTimeout(timer);
    });
  }
}
