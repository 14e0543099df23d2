import { createHash } from 'node:crypto';
import type { Kind } from '../kinds/kinds.js';
import { digestsOfSections, expectedRows } from './compare.js';
import { accountDigest, accountLine } from './digests.js';
import type { Entry } from './entry.js';

/** The sums of the rows at the service. Rows with equal content count once. */
export interface Sums {
  /** The number of accounts with rows. */
  readonly accounts: number;
  readonly rows: Readonly<Partial<Record<Kind, number>>>;
  /** The exact sum for each type of transaction, with two decimals. */
  readonly amounts: Readonly<Record<string, string>>;
  /** The digest over the accounts with rows, calculated like that of a supplier (choice V4). */
  readonly digest: string;
}

/** Adds up rows, account by account. */
export class RowSums {
  accounts = 0;
  private readonly rows: Map<Kind, number>;
  private readonly amounts = new Map<string, bigint>();
  private readonly digest = createHash('sha256');

  constructor(kinds: readonly Kind[]) {
    this.rows = new Map(kinds.map((kind) => [kind, 0]));
  }

  /** @param entries the entries of one account that the service has. Accounts must come in the order of choice S5 */
  add(account: string, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.accounts += 1;
    const expected = expectedRows(entries);
    for (const [kind, count] of this.rows) this.rows.set(kind, count + (expected.get(kind)?.length ?? 0));
    this.digest.update(accountLine(account, accountDigest(digestsOfSections(expected))));
    for (const amount of amountsOf(entries, expected.get('transactions') ?? [])) {
      const [type = '', decimal = ''] = amount.split(' ');
      this.amounts.set(type, (this.amounts.get(type) ?? 0n) + centsOf(decimal));
    }
  }

  /** The sums. This may be called only once. */
  result(): Sums {
    const amounts = [...this.amounts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return {
      accounts: this.accounts,
      rows: Object.fromEntries(this.rows),
      amounts: Object.fromEntries(amounts.map(([type, cents]) => [type, decimalOf(cents)])),
      digest: this.digest.digest('hex'),
    };
  }
}

/**
 * The amounts of transactions. Equal transactions count once.
 *
 * @param contents the different digests of the contents
 */
function amountsOf(entries: readonly Entry[], contents: readonly string[]): Iterable<string> {
  const amounts = entries.flatMap(({ content, amount }) =>
    amount === undefined ? [] : [[content, amount] as const],
  );
  return amounts.length > contents.length ? new Map(amounts).values() : amounts.map(([, amount]) => amount);
}

/** @param decimal a decimal with at most two places */
function centsOf(decimal: string): bigint {
  const [whole = '', places = ''] = decimal.split('.');
  return BigInt(whole + places.padEnd(2, '0'));
}

function decimalOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
