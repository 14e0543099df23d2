import { timeOrderedId } from '../../common/uuid.js';

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
