import type { IncomingHttpHeaders } from 'node:http';
import { timeOrderedId } from '../text/uuid.js';

/** The request ids that are accepted from clients; they are safe in a log line. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The id of a request: the client's if it sent a valid one, else a new one. A new id begins with the time, so that the newest
 * entries in the index of request ids are next to each other (choice T3).
 */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : timeOrderedId(Date.now());
}

/** Identifies a request in the log, in the record of what it stored, and in its client's traces. */
export interface RequestOrigin {
  readonly requestId: string;
  /** 32 hexadecimal digits; undefined if the client sent none. */
  readonly traceId?: string | undefined;
}

/** The members that Fastify's and Node.js's requests have in common. */
interface Sent {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
}

export function originOf({ id, headers }: Sent): RequestOrigin {
  return { requestId: id, traceId: traceIdIn(headers.traceparent) };
}

/** The members of every log line about a request (choices T3, T17). */
export function originMembers({ requestId, traceId }: RequestOrigin): {
  readonly request_id: string;
  readonly trace_id: string | undefined;
} {
  return { request_id: requestId, trace_id: traceId };
}

/** Version, trace id, parent id, flags; and whether more follows. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}($|-)/;

/**
 * The trace id of a `traceparent` header. For unknown versions, the first four fields are read; only in version 00 may nothing
 * follow them.
 *
 * @returns undefined if there is no header, or not exactly one valid one; a request is never rejected because of it
 * Source: W3C Trace Context, section 3.2; choice T17.
 */
export function traceIdIn(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, following] = TRACEPARENT.exec(header) ?? [];
  return version === '00' && following !== '' ? undefined : traceId;
}
