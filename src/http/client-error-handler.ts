import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ERRORS, type ErrorCode } from '../common/errors.js';
import { requestId } from './request-id.js';

/** A connection that is given up is closed after this, whether its caller closes it too or not. */
const FAREWELL_MS = 5_000;

/**
 * Answers what never becomes a request, in the usual shape and straight onto the connection, which is then closed:
 * what is not even HTTP, what does not arrive in time, and `CONNECT`.
 *
 * Source: contract T2, T3, T4.
 */
export class ClientErrorHandler {
  /**
   * The answer to the last request of each connection that became one; they go out in the order of their requests. Not
   * the framework's own reply, which would keep the body of a request for as long as its connection is idle.
   */
  private readonly latest = new WeakMap<Socket, ServerResponse>();
  /** Connections on which nothing can be understood any more. */
  private readonly broken = new WeakSet<Socket>();
  /** What Node.js says, and what the caller is told. */
  private readonly details: Readonly<Record<string, string>>;

  constructor(
    headersBytesMax: number,
    private readonly logger: Logger,
  ) {
    this.details = {
      HPE_HEADER_OVERFLOW: `The request line and headers are larger than ${headersBytesMax} bytes.`,
      ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
    };
  }

  /** To be called before anything else looks at requests. */
  watch(instance: FastifyInstance): void {
    instance.addHook('onRequest', (request, reply, done) => {
      this.latest.set(request.raw.socket, reply.raw);
      done();
    });
    // Node.js would close the connection without a word; a tunnel names an address that nobody has here.
    instance.server.on('connect', (request: IncomingMessage, socket: Socket) => {
      const id = requestId(request);
      this.logger.info({ request_id: id, method: 'CONNECT', status: ERRORS.not_found.status }, 'answered');
      sayFarewell(socket, 'not_found', ERRORS.not_found.detail, id);
    });
  }

  /** To be told of every failure of Node.js to read a request from a connection. */
  answer(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || socket.destroyed) {
      socket.destroy();
      return;
    }
    // Everything that still comes is as broken as what came first.
    if (this.broken.has(socket)) return;
    this.broken.add(socket);
    const id = randomUUID();
    this.logger.info(
      { request_id: id, reason: error.code, status: ERRORS.parse_error.status },
      'broken request',
    );
    const detail = this.details[error.code ?? ''] ?? 'The request is not valid HTTP.';
    this.behindLastAnswer(socket, () => {
      sayFarewell(socket, 'parse_error', detail, id);
    });
  }

  /** The answer to a request that came whole before the broken one must not be taken for that of the broken one. */
  private behindLastAnswer(socket: Socket, tell: () => void): void {
    const last = this.latest.get(socket);
    if (last?.req.complete === true && !last.writableFinished) {
      last.once('finish', tell);
    } else if (last?.req.complete === false && last.headersSent) {
      // What is broken is the rest of a request that was refused before it was whole: its caller knows.
      closeSoon(socket);
    } else {
      tell();
    }
  }
}

/** Answer where there is no reply to do it with, and close the connection. */
function sayFarewell(socket: Socket, code: ErrorCode, detail: string, id: string): void {
  const { status } = ERRORS[code];
  const body = JSON.stringify({ detail, code, errors: [] });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${id}`,
    'Connection: close',
    '',
    '',
  ];
  closeSoon(socket, head.join('\r\n') + body);
}

/** Close a connection behind what was written to it. @param text written before */
function closeSoon(socket: Socket, text = ''): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  // Whoever left before the answer needs none.
  socket.on('error', () => undefined);
  socket.end(text);
  // What is still being sent is thrown away: a connection closed with something unread is reset, and the answer is lost.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}
