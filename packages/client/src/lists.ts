import { queryOf } from './address.js';
import type { Caller } from './caller.js';
import { ListParser } from './list-parser.js';
import type { ListOptions } from './options.js';
import { partsOf, readOn } from './read-on.js';
import type { OpenAnswer } from './transport.js';

/** An element of a list, with the field by which lists are ordered. */
export interface Numbered {
  readonly external_account_number: string;
}

/** The address of a list, and the size of its elements. */
export interface ListAddress {
  readonly path: string;
  /** Query parameters other than those for paging. */
  readonly parameters?: Parameters<typeof queryOf>[0];
  /** Maximum size of an account's JSON, if it can be large. */
  readonly accountBytesMax?: number;
}

/**
 * Read a list of accounts. If the answer breaks off, the list is resumed after the last account received: lists are ordered by
 * account number, and `after` continues after a number.
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

/** The link only shows that there is more: behind a proxy, its URL may differ from the one that this client uses. */
function hasNext({ headers: { link } }: OpenAnswer): boolean {
  return /;\s*rel="?next"?/.test(typeof link === 'string' ? link : '');
}
