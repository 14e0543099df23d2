import { byteOrderOf } from '../rows/account-order.js';
import { inOrder } from '../verify/source.js';

/** An account of the files. */
interface Own {
  readonly account: string;
  /** The account in the form that sorts correctly, see account-order.ts. */
  readonly order: string;
}

/** The ways to request accounts from the service. */
export interface Asking<Found> {
  /** @returns undefined for an account that the service does not have */
  readonly single: (account: string) => Promise<Found | undefined>;
  /** Requests the accounts after one, in the order of choice S5. */
  readonly list: (after: string) => AsyncIterable<Found>;
  /** The number of rows that the service reads for an account of the list. */
  readonly rowsOf: (found: Found) => number;
  /** The number of accounts that are requested at the same time. */
  readonly concurrency: number;
}

/** An account of the files, and the service's data about it. */
export interface Asked<One, Found> {
  readonly own: One;
  readonly service: Found | undefined;
}

/**
 * The number of accounts that are requested one by one before the list is tried. It doubles after each list that was not
 * worth its cost.
 */
const SINGLE_ACCOUNTS = 100;
/** The number of accounts of a list after which its cost is judged. */
const LISTED_ACCOUNTS = 1_000;
/** The number of rows of the list that the service reads in the time of a request for one account (measured). */
const ROWS_OF_A_REQUEST = 150;
/** The number of rows that the service reads in the time that an account of the list takes besides its own rows. */
const ROWS_OF_AN_ACCOUNT = 5;

/**
 * Request accounts from the service: a few one by one, many with the list. The list also contains the accounts of other
 * loads. If it has too many of them, accounts are requested one by one again, so that other loads add no cost.
 *
 * @param own the accounts in the order of choice S5
 * @throws ContradictoryAnswer, DataImportError, the reason of the signal
 */
export async function* askFor<One extends Own, Found extends { readonly external_account_number: string }>(
  own: Iterator<One, unknown>,
  asking: Asking<Found>,
): AsyncGenerator<Asked<One, Found>, void, undefined> {
  const accounts = new Ahead(own);
  for (let singles = SINGLE_ACCOUNTS; accounts.peek(); singles *= 2) {
    const last = yield* askSingly(accounts, singles, asking);
    if (accounts.peek()) yield* askForList(accounts, last, asking);
  }
}

/** An iterator with a look-ahead at its next value. */
class Ahead<One> {
  private ahead: IteratorResult<One, unknown>;

  constructor(private readonly accounts: Iterator<One, unknown>) {
    this.ahead = accounts.next();
  }

  peek(): One | undefined {
    return this.ahead.done === true ? undefined : this.ahead.value;
  }

  take(): One | undefined {
    const next = this.peek();
    if (next) this.ahead = this.accounts.next();
    return next;
  }
}

/** @returns the number of the last account */
async function* askSingly<One extends Own, Found>(
  accounts: Ahead<One>,
  singles: number,
  { single, concurrency }: Asking<Found>,
): AsyncGenerator<Asked<One, Found>, string, undefined> {
  let last = '';
  for (let count = 0; count < singles && accounts.peek();) {
    const asked: Promise<Asked<One, Found>>[] = [];
    while (asked.length < concurrency) {
      const own = accounts.take();
      if (!own) break;
      last = own.account;
      asked.push(single(own.account).then((service) => ({ own, service })));
    }
    count += asked.length;
    yield* await Promise.all(asked);
  }
  return last;
}

/**
 * Request accounts with the list. It ends with the last account, or when the list has so many rows of other accounts
 * that single requests would cost less.
 */
async function* askForList<One extends Own, Found extends { readonly external_account_number: string }>(
  accounts: Ahead<One>,
  after: string,
  { list, rowsOf }: Asking<Found>,
): AsyncGenerator<Asked<One, Found>, void, undefined> {
  let [listed, ours, rowsOfOthers] = [0, 0, 0];
  for await (const service of inOrder(list(after), after)) {
    const order = byteOrderOf(service.external_account_number);
    let isOurs = false;
    for (let own = accounts.peek(); own && own.order <= order; own = accounts.peek()) {
      accounts.take();
      ours += 1;
      isOurs = own.order === order;
      yield { own, service: isOurs ? service : undefined };
    }
    listed += 1;
    if (!isOurs) rowsOfOthers += ROWS_OF_AN_ACCOUNT + rowsOf(service);
    if (!accounts.peek()) return;
    if (listed % LISTED_ACCOUNTS > 0) continue;
    if (rowsOfOthers > ours * ROWS_OF_A_REQUEST) return;
    [ours, rowsOfOthers] = [0, 0];
  }
  for (let own = accounts.take(); own; own = accounts.take()) yield { own, service: undefined };
}
