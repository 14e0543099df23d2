/** What `GET /health/live` answers, always with 200. */
export const LIVE = { status: 'ok' } as const;

/** What `GET /health/ready` answers: 200 when the service takes requests, otherwise 503. */
export type Readiness =
  | { readonly status: 'ok'; readonly database: 'up' | 'down' }
  | { readonly status: 'starting' }
  | { readonly status: 'stopping' };
