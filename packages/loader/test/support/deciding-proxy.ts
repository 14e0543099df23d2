import {
  answer,
  cutAfter,
  cutBefore,
  startHttpProxy,
  type Fault,
  type HttpProxy,
} from '../../../client/test/support/http-proxy.js';

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

const running: HttpProxy[] = [];
afterAll(async () => {
  for (const { stop } of running) await stop();
});

/** A proxy in front of the service that looks at each import request, until the tests have ended. */
export async function startDecidingProxy(
  targetUrl: string,
  decide: (passing: Passing) => Decision | Promise<Decision>,
): Promise<DecidingProxy> {
  const passed: Passing[] = [];
  const proxy = await startHttpProxy(targetUrl, async ({ path, body }) => {
    if (!path.startsWith('/v1/data-import/')) return undefined;
    const passing = { path, body, number: passed.length + 1 };
    passed.push(passing);
    return faultOf(await decide(passing));
  });
  running.push(proxy);
  return { baseUrl: proxy.url, passed };
}

function faultOf(decision: Decision): Fault | undefined {
  if (decision === undefined) return undefined;
  if (decision === 'cut before') return cutBefore;
  if (decision === 'cut after') return cutAfter;
  const { status, code, retryAfter } = decision;
  const headers = {
    'content-type': 'application/json',
    ...(retryAfter && { 'retry-after': `${retryAfter}` }),
  };
  return answer(status, headers, { detail: 'A test says so.', code, errors: [] });
}
