import { createHash } from 'node:crypto';
import type { Kind } from '../kinds/kinds.js';
import { digestsOfSections, expectedRows } from './compare.js';
import { accountDigest, accountLine } from './digests.js';
import type { Entry } from './entry.js';

/** What the rows that are there add up to; rows of equal content count once. */
export interface Sums {
  /** Accounts with rows. */
  readonly accounts: number;
  readonly rows: Readonly<Partial<Record<Kind, number>>>;
  /** By type of transaction the exact sum, with two decimals. */
  readonly amounts: Readonly<Record<string, string>>;
  /** Over the accounts with rows, as choice V4 says for those of a supplier. */
  readonly digest: string;
}

/** Adds up rows account after account. */
export class RowSums {
  accounts = 0;
  private readonly rows: Map<Kind, number>;
  private readonly amounts = new Map<string, Cents>();
  private readonly digest = createHash('sha256');

  constructor(kinds: readonly Kind[]) {
    this.rows = new Map(kinds.map((kind) => [kind, 0]));
  }

  /** @param entries of one account, behind those before it, that are there */
  add(account: string, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.accounts += 1;
    const expected = expectedRows(entries);
    for (const [kind, count] of this.rows) this.rows.set(kind, count + (expected.get(kind)?.length ?? 0));
    this.digest.update(accountLine(account, accountDigest(digestsOfSections(expected))));
    for (const amount of amountsOf(entries, expected.get('transactions') ?? [])) {
      const space = amount.indexOf(' ');
      const type = amount.slice(0, space);
      const cents = this.amounts.get(type) ?? new Cents();
      this.amounts.set(type, cents);
      cents.add(amount.slice(space + 1));
    }
  }

  /** To be called once. */
  result(): Sums {
    const amounts = [...this.amounts].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return {
      accounts: this.accounts,
      rows: Object.fromEntries(this.rows),
      amounts: Object.fromEntries(amounts.map(([type, cents]) => [type, cents.text])),
      digest: this.digest.digest('hex'),
    };
  }
}

/** The amounts of transactions, those of equal ones once. @param contents of which each is there once */
function amountsOf(entries: readonly Entry[], contents: readonly string[]): Iterable<string> {
  const amounts = entries.flatMap(({ content, amount }) =>
    amount === undefined ? [] : [[content, amount] as const],
  );
  return amounts.length > contents.length ? new Map(amounts).values() : amounts.map(([, amount]) => amount);
}

/** An exact sum of decimals with at most two places. To make a large number of each takes most of the time. */
class Cents {
  private whole = 0n;
  /** Far from where numbers are not exact. */
  private part = 0;

  add(decimal: string): void {
    const point = decimal.indexOf('.');
    const digits = point === -1 ? decimal : decimal.slice(0, point) + decimal.slice(point + 1);
    const places = point === -1 ? 0 : decimal.length - point - 1;
    this.part += Number(digits) * (places === 2 ? 1 : places === 1 ? 10 : 100);
    if (Math.abs(this.part) < 2 ** 52) return;
    this.whole += BigInt(this.part);
    this.part = 0;
  }

  get text(): string {
    const cents = this.whole + BigInt(this.part);
    const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
    return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
  }
}
