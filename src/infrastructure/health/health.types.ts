/** The response of `GET /health/live`, always with 200. */
export const LIVE = { status: 'ok' } as const;

/** The response of `GET /health/ready`: 200 if the service accepts requests, otherwise 503. */
export type Readiness =
  | { readonly status: 'ok'; readonly database: 'up' | 'down' }
  | { readonly status: 'starting' }
  | { readonly status: 'stopping' };
