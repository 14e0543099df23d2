import { setTimeout as delay } from 'node:timers/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { Client, type Dispatcher } from 'undici';

/** A request to send. */
export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Milliseconds from sending to the first byte of the answer, and to its last. */
  readonly firstByteMs: number;
  readonly totalMs: number;
}

/** A request and the check of its answer. */
export interface Exchange {
  readonly call: Call;
  /** @throws Error that describes what is wrong with the answer */
  readonly verify: (answer: Answer) => void;
}

/** The result of a period of load. */
export interface Load {
  readonly requests: number;
  /** From the first request sent to the last answer received. */
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

/** Timeout of an answer. */
const ANSWER_TIMEOUT_MS = 60_000;

/** A keep-alive connection for one request at a time. */
export class Connection {
  private readonly client: Client;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(origin: string, token: string) {
    this.client = new Client(origin, {
      pipelining: 1,
      keepAliveTimeout: ANSWER_TIMEOUT_MS,
      headersTimeout: ANSWER_TIMEOUT_MS,
      bodyTimeout: ANSWER_TIMEOUT_MS,
    });
    this.headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  }

  /** @param onData receives the body in place of the answer; for large bodies */
  send({ method, path, body }: Call, onData?: (chunk: Buffer) => void): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const startedAt = performance.now();
      let status = 0;
      let headers: IncomingHttpHeaders = {};
      let firstByteMs = 0;
      const handler: Dispatcher.DispatchHandler = {
        // undici recognises the newer handler interface by this member.
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode, received) => {
          status = statusCode;
          headers = received;
        },
        onResponseData: (_controller, chunk) => {
          if (firstByteMs === 0) firstByteMs = performance.now() - startedAt;
          if (onData) onData(chunk);
          else chunks.push(chunk);
        },
        onResponseEnd: () => {
          const totalMs = performance.now() - startedAt;
          const [only] = chunks;
          const whole = chunks.length === 1 && only ? only : Buffer.concat(chunks);
          resolve({ status, headers, body: whole, firstByteMs, totalMs });
        },
        onResponseError: (_controller, error) => {
          reject(error);
        },
      };
      this.client.dispatch({ method, path, headers: this.headers, body: body ?? null }, handler);
    });
  }

  close(): Promise<void> {
    return this.client.destroy();
  }
}

/** Open connections to a server and close them when the work ends. */
export async function withConnections<T>(
  count: number,
  { origin, token }: { origin: string; token: string },
  work: (connections: readonly Connection[]) => Promise<T>,
): Promise<T> {
  const connections = Array.from({ length: count }, () => new Connection(origin, token));
  try {
    return await work(connections);
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

/**
 * Send requests on all connections concurrently. Each connection sends its next request once the previous answer is verified.
 * Requests in flight at the end are completed and counted.
 *
 * @param next creates the next exchange; the time it takes is not part of the latency
 * @param isOver called before each request
 * @param pauseMs pause of each connection after an answer
 * @throws Error for the first wrong answer
 */
export async function drive(
  connections: readonly Connection[],
  next: () => Exchange,
  isOver: () => boolean,
  pauseMs = 0,
): Promise<Load> {
  const latenciesMs: number[] = [];
  let failed = false;
  const startedAt = performance.now();
  const ended = await Promise.allSettled(
    connections.map(async (connection) => {
      try {
        while (!failed && !isOver()) {
          const { call, verify } = next();
          const answer = await connection.send(call);
          latenciesMs.push(answer.totalMs);
          verify(answer);
          if (pauseMs > 0) await delay(pauseMs);
        }
      } catch (error) {
        failed = true;
        throw error;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
  return { requests: latenciesMs.length, seconds, latenciesMs };
}

/** @returns a condition that becomes true some seconds from now */
export function after(seconds: number): () => boolean {
  const endsAt = performance.now() + seconds * 1_000;
  return () => performance.now() >= endsAt;
}

/** @returns a condition that becomes true after a number of requests */
export function times(count: number): () => boolean {
  let requests = 0;
  return () => {
    requests += 1;
    return requests > count;
  };
}
