import type { IncomingHttpHeaders } from 'node:http';
import { timeOrderedId } from '../text/uuid.js';

/** The request ids that are accepted from a client; they are safe in a log line. */
export const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The id of a request: the client's, when it sent a valid one, else a new one, which begins with the time: so the newest
 * entries of the index of the requests by their ids are next to each other (choice T3).
 */
export function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : timeOrderedId(Date.now());
}

/** How a request is found again: in the log, in the record of what it stored, and in the traces of its client. */
export interface RequestOrigin {
  readonly requestId: string;
  /** 32 hexadecimal digits; undefined when the client sent none. */
  readonly traceId?: string | undefined;
}

/** What both Fastify's and Node.js's requests have of it. */
interface Sent {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
}

export function originOf({ id, headers }: Sent): RequestOrigin {
  return { requestId: id, traceId: traceIdIn(headers.traceparent) };
}

/** The members of every log line of a request (choices T3, T17). */
export function originMembers({ requestId, traceId }: RequestOrigin): {
  readonly request_id: string;
  readonly trace_id: string | undefined;
} {
  return { request_id: requestId, trace_id: traceId };
}

/** Version, trace id, id of the parent, flags; whether more follows. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}($|-)/;

/**
 * The trace id of a `traceparent` header. Of a version that is not known yet the first four fields are read; only in version 00
 * nothing may follow them.
 *
 * @returns undefined when there is no header, or not exactly one valid one: a request is never refused for it
 * Source: W3C Trace Context, section 3.2; choice T17.
 */
export function traceIdIn(header: string | string[] | undefined): string | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, following] = TRACEPARENT.exec(header) ?? [];
  return version === '00' && following !== '' ? undefined : traceId;
}
