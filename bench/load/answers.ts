import type { Rows, ServiceNumbers } from '../contenders/contender.js';
import { SUPPLIER } from '../contenders/fixture.js';
import type { Answer, Call, Exchange } from './driver.js';

/** An exchange with the rows that it stores. */
export interface StoringExchange extends Exchange {
  readonly adds: Rows;
}

/** For scenarios that do not verify service account numbers. */
export const NO_NUMBERS: ServiceNumbers = new Map();

export const DATA_IMPORT = '/v1/data-import';

/** Every answer's counts are compared; one answer in this many is also parsed and compared item by item. */
const INSPECT_EVERY = 50;

/** The expected answer. */
interface Expectation {
  readonly status: number;
  /** How often each text must occur in the body. */
  readonly counts: Readonly<Record<string, number>>;
  /** Checks the parsed body. @throws Error */
  readonly inspect: (body: unknown) => void;
  readonly adds?: Rows;
}

const NOTHING: Rows = { count: 0, total: 0 };

/** An exchange that verifies its answer. @param index of the request */
export function expecting(
  index: number,
  call: Call,
  { status, counts, inspect, adds = NOTHING }: Expectation,
): StoringExchange {
  const verify = (answer: Answer): void => {
    if (answer.status !== status) throw wrong(call, answer, `status ${status}`);
    for (const [text, times] of Object.entries(counts)) {
      if (occurrences(answer.body, text) !== times) throw wrong(call, answer, `${text} ${times} times`);
    }
    if (index % INSPECT_EVERY === 0) inspect(JSON.parse(answer.body.toString()));
  };
  return { call, verify, adds };
}

export function rowsOf<T>(stored: readonly T[], amount: (one: T) => number): Rows {
  return { count: stored.length, total: stored.reduce((sum, one) => sum + amount(one), 0) };
}

/** Bytes of a wrong answer shown in the error message. */
const SHOWN_BYTES = 500;

function wrong({ method, path }: Call, { status, body }: Answer, expected: string): Error {
  const shown = body.subarray(0, SHOWN_BYTES).toString();
  return new Error(`Wrong answer to ${method} ${path}: expected ${expected}, got status ${status}: ${shown}`);
}

function occurrences(body: Buffer, text: string): number {
  let count = 0;
  for (let at = body.indexOf(text); at !== -1; at = body.indexOf(text, at + text.length)) count += 1;
  return count;
}

export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (one !== other) throw new Error(`Wrong ${what}: expected ${other}, got ${one}.`);
}

export function post(endpoint: string, account: string, content: object): Call {
  const body = JSON.stringify({ import_supplier: SUPPLIER, external_account_number: account, ...content });
  return { method: 'POST', path: `${DATA_IMPORT}/${endpoint}/create/`, body };
}
