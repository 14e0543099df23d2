import { queryOf } from './address.js';
import type { Caller } from './caller.js';
import { ListParser } from './list-parser.js';
import type { ListOptions } from './options.js';
import { partsOf, readOn } from './read-on.js';
import type { OpenAnswer } from './transport.js';

/** What the lists are ordered by. */
export interface Numbered {
  readonly external_account_number: string;
}

/** Which list it is. */
export interface ListAddress {
  readonly path: string;
  /** What its query has besides the pages. */
  readonly parameters?: Parameters<typeof queryOf>[0];
  /** Of the text of an account, where it can be long. */
  readonly accountBytesMax?: number;
}

/**
 * A list of accounts. One that breaks off is continued behind its last account: lists are ordered by account number, and `after`
 * begins behind one.
 */
export function readList<Account extends Numbered>(
  caller: Caller,
  { path, parameters, accountBytesMax }: ListAddress,
  options: ListOptions,
): AsyncGenerator<Account, void, undefined> {
  let { after } = options;
  let isLast = false;
  return readOn(caller, options, {
    isOver: () => isLast,
    async *next(own) {
      const from = after;
      const query = queryOf({ ...parameters, limit: options.pageSize, after });
      const answer = await caller.stream({ method: 'GET', path: path + query, isRepeatable: true }, own);
      for await (const accounts of partsOf(answer, new ListParser<Account>(accountBytesMax))) {
        after = accounts.at(-1)?.external_account_number ?? after;
        yield accounts;
      }
      isLast = !hasNext(answer) || after === from;
    },
  });
}

/** The link says only that there is more: behind a proxy its address need not be the one that this client uses. */
function hasNext({ headers: { link } }: OpenAnswer): boolean {
  return /;\s*rel="?next"?/.test(typeof link === 'string' ? link : '');
}
