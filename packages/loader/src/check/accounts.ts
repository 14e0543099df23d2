import { KINDS } from '../kinds/kinds.js';
import { byteOrderOf } from '../rows/account-order.js';
import type { AccountEntries } from '../verify/account-entries.js';
import { countOf } from '../verify/service-rows.js';
import { inOrder, type AccountContent } from '../verify/source.js';

/** Where the digests of rows come from. */
export interface DigestSource {
  /** Accounts behind one, with the digests of their rows, in the order of choice S5. */
  listDigests(after: string, signal: AbortSignal): AsyncIterable<AccountContent>;
  /** @returns the account with the digests of its rows; undefined for one that is not imported */
  digests(account: string, signal: AbortSignal): Promise<AccountContent | undefined>;
}

export interface AskingOptions {
  readonly source: DigestSource;
  /** Accounts that are asked for at a time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** An account of the files, and what the service has of it. */
export interface Asked {
  readonly own: AccountEntries;
  readonly service: AccountContent | undefined;
}

/** Accounts that are asked for one by one before the list is tried; then twice as many each time that it was not worth it. */
const SINGLE_ACCOUNTS = 100;
/** The list is judged after so many of its accounts. */
const LISTED_ACCOUNTS = 1_000;
/** To ask for one account takes the service as long as to read so many rows of the list (measured). */
const ROWS_OF_A_REQUEST = 150;
/** An account of the list takes as long as so many rows, beside those that it has. */
const ROWS_OF_AN_ACCOUNT = 5;

/**
 * Ask the service for accounts: few one by one, many with the list, which also has the accounts of others: where it has too many of
 * them, what others have loaded costs nothing.
 *
 * @param own in the order of choice S5
 * @throws ContradictoryAnswer, DataImportError, the reason of the signal
 */
export async function* askFor(
  own: Iterator<AccountEntries, unknown>,
  options: AskingOptions,
): AsyncGenerator<Asked, void, undefined> {
  const accounts = new Ahead(own);
  for (let singles = SINGLE_ACCOUNTS; accounts.peek(); singles *= 2) {
    const last = yield* askSingly(accounts, singles, options);
    if (accounts.peek()) yield* askForList(accounts, last, options);
  }
}

/** An iterator whose next value can be looked at. */
class Ahead {
  private ahead: IteratorResult<AccountEntries, unknown>;

  constructor(private readonly accounts: Iterator<AccountEntries, unknown>) {
    this.ahead = accounts.next();
  }

  peek(): AccountEntries | undefined {
    return this.ahead.done === true ? undefined : this.ahead.value;
  }

  take(): AccountEntries | undefined {
    const next = this.peek();
    if (next) this.ahead = this.accounts.next();
    return next;
  }
}

/** @returns the number of the last one */
async function* askSingly(
  accounts: Ahead,
  singles: number,
  { source, concurrency, signal }: AskingOptions,
): AsyncGenerator<Asked, string, undefined> {
  let last = '';
  for (let count = 0; count < singles && accounts.peek();) {
    const asked: Promise<Asked>[] = [];
    while (asked.length < concurrency) {
      const own = accounts.take();
      if (!own) break;
      last = own.account;
      asked.push(source.digests(own.account, signal).then((service) => ({ own, service })));
    }
    count += asked.length;
    yield* await Promise.all(asked);
  }
  return last;
}

/** It ends with the last account, or where the list has so many rows of other accounts that requests for ours cost less. */
async function* askForList(
  accounts: Ahead,
  after: string,
  { source, signal }: AskingOptions,
): AsyncGenerator<Asked, void, undefined> {
  let [listed, ours, rowsOfOthers] = [0, 0, 0];
  for await (const service of inOrder(source.listDigests(after, signal), after)) {
    const order = byteOrderOf(service.external_account_number);
    let isOurs = false;
    for (let own = accounts.peek(); own && own.order <= order; own = accounts.peek()) {
      accounts.take();
      ours += 1;
      isOurs = own.order === order;
      yield { own, service: own.order === order ? service : undefined };
    }
    listed += 1;
    if (!isOurs) rowsOfOthers += ROWS_OF_AN_ACCOUNT + countOf(service, KINDS);
    if (!accounts.peek()) return;
    if (listed % LISTED_ACCOUNTS > 0) continue;
    if (rowsOfOthers > ours * ROWS_OF_A_REQUEST) return;
    [ours, rowsOfOthers] = [0, 0];
  }
  for (let own = accounts.take(); own; own = accounts.take()) yield { own, service: undefined };
}
