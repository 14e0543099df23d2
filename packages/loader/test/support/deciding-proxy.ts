import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening, type Listening } from '../../../../test/support/listening.js';

/** A request for data that is about to be forwarded. */
export interface Passing {
  readonly path: string;
  readonly body: string;
  /** Counted from 1. */
  readonly number: number;
}

/** What is done with it instead: an answer of its own, or a connection that breaks before or after the service has it. */
export type Decision =
  | { readonly status: number; readonly code: string; readonly retryAfter?: number }
  | 'cut before'
  | 'cut after'
  | undefined;

export interface DecidingProxy {
  readonly baseUrl: string;
  readonly passed: Passing[];
}

const running: Listening[] = [];
afterAll(async () => {
  for (const { stop } of running) await stop();
});

/** A proxy in front of the service that looks at each import request, until the tests have ended. */
export async function startDecidingProxy(
  targetUrl: string,
  decide: (passing: Passing) => Decision | Promise<Decision>,
): Promise<DecidingProxy> {
  const passed: Passing[] = [];
  const pass = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    let decision: Decision;
    if (incoming.url?.startsWith('/v1/data-import/')) {
      const passing = { path: incoming.url, body: body.toString(), number: passed.length + 1 };
      passed.push(passing);
      decision = await decide(passing);
    }
    if (decision === 'cut before') {
      incoming.socket.destroy();
    } else if (typeof decision === 'object') {
      const { status, code, retryAfter } = decision;
      const headers = {
        'content-type': 'application/json',
        ...(retryAfter && { 'retry-after': String(retryAfter) }),
      };
      response
        .writeHead(status, headers)
        .end(JSON.stringify({ detail: 'A test says so.', code, errors: [] }));
    } else {
      const answer = await forward(targetUrl, incoming, body);
      if (decision === 'cut after') incoming.socket.destroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    }
  };
  const server = createServer((incoming, response) => {
    pass(incoming, response).catch(() => incoming.socket.destroy());
  });
  const proxy = await listening(server);
  running.push(proxy);
  return { baseUrl: proxy.url, passed };
}

async function forward(
  targetUrl: string,
  { method = 'GET', url = '', headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const sent = request(targetUrl + url, { method, headers });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'content-type': type = '', link } = answer.headers;
  const passed = { 'content-type': type, ...(typeof link === 'string' && { link }) };
  return { status: answer.statusCode ?? 0, headers: passed, body: await buffer(answer) };
}
