import { signalOfCall } from './abort.js';
import type { Caller } from './caller.js';
import { ConnectionError, ServiceError } from './errors.js';
import { ListParser, NotAListError } from './list-parser.js';
import type { ListOptions } from './options.js';
import type { OpenAnswer } from './transport.js';

/** What the lists are ordered by. */
export interface Numbered {
  readonly external_account_number: string;
}

/**
 * A list of accounts in constant memory. One that breaks off is continued behind its last account: lists are ordered by
 * account number, and `after` begins behind one.
 *
 * @param path of the list, without a query
 */
export async function* readList<Account extends Numbered>(
  caller: Caller,
  path: string,
  options: ListOptions,
): AsyncGenerator<Account, void, undefined> {
  const { signal, release } = signalOfCall(options.signal);
  const own = { ...options, ...(signal && { signal }) };
  let { after } = options;
  try {
    // How often it broke off without an account in between.
    for (let failures = 0, beganAt = caller.now(); ;) {
      try {
        const from = after;
        const call = { method: 'GET', path: path + queryOf(after, options), isRepeatable: true } as const;
        const answer = await caller.stream(call, own);
        for await (const accounts of partsOf<Account>(answer)) {
          for (const account of accounts) {
            after = account.external_account_number;
            yield account;
          }
          if (accounts.length > 0) [failures, beganAt] = [0, caller.now()];
        }
        if (!hasNext(answer) || after === from) return;
      } catch (error) {
        failures += 1;
        await caller.pause(error, failures, beganAt, own);
      }
    }
  } finally {
    release();
  }
}

function queryOf(after: string | undefined, { pageSize }: ListOptions): string {
  const query = new URLSearchParams({
    ...(pageSize !== undefined && { limit: String(pageSize) }),
    ...(after !== undefined && { after }),
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The link says only that there is more: behind a proxy its address need not be the one that this client uses. */
function hasNext({ headers: { link } }: OpenAnswer): boolean {
  return /;\s*rel="?next"?/.test(typeof link === 'string' ? link : '');
}

async function* partsOf<Account>({
  chunks,
  requestId,
  status,
}: OpenAnswer): AsyncGenerator<Account[], void, undefined> {
  const parser = new ListParser<Account>();
  try {
    for await (const chunk of chunks()) yield parser.push(chunk);
  } catch (error) {
    if (!(error instanceof NotAListError)) throw error;
    throw new ServiceError({
      code: 'unexpected_answer',
      detail: error.message,
      requestId,
      status,
      cause: error,
    });
  }
  if (parser.isComplete) return;
  throw new ConnectionError({
    code: 'connection_failed',
    detail: 'The list broke off.',
    requestId,
    retryable: true,
  });
}
