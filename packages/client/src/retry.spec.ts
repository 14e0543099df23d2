import { ConnectionError, ServiceError, TimeoutError } from './errors.js';
import {
  isRetryableStatus,
  retryAfterSeconds,
  retryReasonOf,
  waitBeforeRetry,
  type RetryOptions,
} from './retry.js';

const unavailable = (seconds?: number): ServiceError =>
  new ServiceError({
    ...{ code: 'service_unavailable', detail: '', status: 503, retryable: true },
    retryAfterSeconds: seconds,
  });
const broken = (code: string): ConnectionError =>
  new ConnectionError({ code: 'connection_failed', detail: '', retryable: true, cause: { code } });

const [least, most] = [() => 0, () => 1 - Number.EPSILON];

describe('whether a request may be retried after an answer', () => {
  const never = [400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 501, 505];
  const whileRepeatable = [500, 502, 503, 504];
  it.each<[number, boolean, boolean]>([
    ...never.map((status): [number, boolean, boolean] => [status, true, false]),
    ...whileRepeatable.map((status): [number, boolean, boolean] => [status, true, true]),
    ...whileRepeatable.map((status): [number, boolean, boolean] => [status, false, false]),
    // Nothing is stored before a 429.
    [429, true, true],
    [429, false, true],
  ])('%d to a repeatable request (%s): %s', (status, isRepeatable, expected) => {
    expect(isRetryableStatus(status, isRepeatable)).toBe(expected);
  });
});

describe('the pause before a retry', () => {
  const at = (attempt: number, elapsedMs = 0) => ({ attempt, elapsedMs });

  it.each([
    [1, 250, 500],
    [2, 500, 1_000],
    [5, 4_000, 8_000],
    [7, 15_000, 30_000],
    [9, 15_000, 30_000],
  ])('doubles up to a limit, with half of it random: attempt %d', (attempt, from, to) => {
    expect(waitBeforeRetry(unavailable(), at(attempt), {}, least)).toBe(from);
    expect(waitBeforeRetry(unavailable(), at(attempt), {}, most)).toBe(to);
  });

  it("is never shorter than Retry-After, whatever the limit of the client's own pauses", () => {
    const options = { maxWaitMs: 10 };
    expect(waitBeforeRetry(unavailable(40), at(1), options, least)).toBe(40_000);
    expect(waitBeforeRetry(unavailable(40), at(1), options, most)).toBeLessThan(41_000);
  });

  it.each<[string, RetryOptions | false, number, number]>([
    ['retries are switched off', false, 1, 0],
    ['it was the last attempt', { attempts: 3 }, 3, 0],
    ['it was the last of ten attempts', {}, 10, 0],
    ['the pause would end too late', { giveUpAfterMs: 10_000 }, 1, 5_001],
  ])('does not happen when %s', (_, options, attempt, elapsedMs) => {
    expect(waitBeforeRetry(unavailable(5), at(attempt, elapsedMs), options, least)).toBeUndefined();
  });

  it('happens if it ends in time', () => {
    expect(waitBeforeRetry(unavailable(5), at(1, 5_000), { giveUpAfterMs: 10_000 }, least)).toBe(5_000);
  });

  it('does not happen after an error that is not retryable', () => {
    const refused = new ServiceError({ code: 'not_found', detail: '', status: 404 });
    expect(waitBeforeRetry(refused, at(1), {}, least)).toBeUndefined();
  });

  it('is skipped the first time that a connection is reset, because an idle one may have been closed', () => {
    expect(waitBeforeRetry(broken('ECONNRESET'), at(1), {}, most)).toBe(0);
    expect(waitBeforeRetry(broken('EPIPE'), at(1), {}, most)).toBe(0);
    expect(waitBeforeRetry(broken('ECONNRESET'), at(2), {}, most)).toBe(1_000);
    expect(waitBeforeRetry(broken('ECONNREFUSED'), at(1), {}, most)).toBe(500);
  });
});

it.each([
  [new TimeoutError({ code: 'timeout', detail: '' }), 'timeout'],
  [broken('ECONNRESET'), 'connection'],
  [unavailable(), 'unavailable'],
  [new ServiceError({ code: 'throttled', detail: '', status: 429 }), 'throttled'],
  [new ServiceError({ code: 'error', detail: '', status: 500 }), 'server_error'],
])('the reason is one word', (error, reason) => {
  expect(retryReasonOf(error)).toBe(reason);
});

it('Retry-After is a number of seconds or a time', () => {
  const waits = { '5': 5, ' 0 ': 0, 'Mon, 23 Nov 2026 08:00:10 GMT': 10, 'Mon, 23 Nov 2026 07:00:00 GMT': 0 };
  const read = (header?: string): number | undefined => retryAfterSeconds(header, Date.UTC(2026, 10, 23, 8));
  expect(Object.keys(waits).map(read)).toEqual(Object.values(waits));
  expect(['soon', '', '-1', undefined].map(read)).toEqual(Array(4).fill(undefined));
});
