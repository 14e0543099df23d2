import type { Reply, TestService, World, AccountPair } from './service.js';
import { setUp } from './set-up.js';

/** Sends notes to its own account, for tests of behaviour that all import requests share. */
export interface NoteSender {
  readonly caller: World & { readonly ref: AccountPair };
  readonly create: <Body = unknown>(payload: unknown, query?: string) => Promise<Reply<Body>>;
  /** Send a POST with the token and these headers. */
  readonly send: (
    headers: Readonly<Record<string, string>>,
    body?: string | Uint8Array<ArrayBuffer>,
    path?: string,
  ) => Promise<Reply>;
}

export function noteSender(service: TestService): NoteSender {
  const caller = setUp(() => service.given.importedAccount());
  return {
    caller,
    create: (payload, query = '') => service.post(`notes/create/${query}`, caller.token, payload),
    send: (headers, body, path = 'notes/create/') =>
      service.call(path, {
        method: 'POST',
        headers: { authorization: `Token ${caller.token}`, ...headers },
        ...(body !== undefined && { body }),
      }),
  };
}
