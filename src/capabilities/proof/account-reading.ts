import { createHash, hash } from 'node:crypto';
import { contentOf } from './content.js';
import type { AccountContent, ContentRow, RowAccount, RowLines, SectionContent } from './proof.types.js';
import { SortedLines } from './sorted-lines.js';
import { forEachSection, SECTIONS, type Section } from '../../ingest/kinds/items.js';

/** Characters of digests that are kept in memory for a section: those of 250,000 rows. */
const HELD_DIGESTS_LENGTH = 16 * 1024 * 1024;
/** The digest of a section without rows: SHA-256 of the empty string. */
const EMPTY = hash('sha256', '');

/** A row of an account as it enters the digests. */
export interface ReadRow {
  readonly section: Section;
  /** Its canonical text (choice V3). */
  readonly content: string;
  /** SHA-256 of it, lower-case hexadecimal. */
  readonly digest: string;
}

/** The type and amount of a transaction. */
interface BookedAmount {
  readonly type: string;
  readonly amount: number;
}

/** The rows of one account while they are read, with their counts, sums and digests. */
export class AccountReading {
  private readonly digests = new Map<Section, SortedLines>();
  /** Sums by type in hundredths. */
  private readonly amounts = new Map<string, bigint>();

  private constructor(
    readonly externalAccountNumber: string,
    private readonly serviceAccountNumber: string,
    private readonly beforeFile: (() => void) | undefined,
  ) {}

  /**
   * Begin to read the account of a row.
   *
   * @param previous the account that was read before; it is disposed of
   */
  static after(
    previous: AccountReading | undefined,
    row: RowAccount,
    beforeFile: (() => void) | undefined,
  ): AccountReading {
    const { external_account_number: number, service_account_number: serviceNumber } = row;
    previous?.dispose();
    if (number === null || serviceNumber === null) throw new Error('A row has no account.');
    if (previous && !(Buffer.compare(Buffer.from(previous.externalAccountNumber), Buffer.from(number)) < 0)) {
      throw new Error('The accounts are not in their order.');
    }
    return new AccountReading(number, serviceNumber, beforeFile);
  }

  /** @param onRow called with the row, unless the account has no rows */
  add(row: ContentRow, onRow?: (row: ReadRow) => void): void {
    const { section } = row;
    if (section === null) return;
    const content = contentOf(row);
    const digest = hash('sha256', content);
    let digests = this.digests.get(section);
    if (!digests)
      this.digests.set(section, (digests = new SortedLines(HELD_DIGESTS_LENGTH, this.beforeFile)));
    digests.add(digest);
    if (section === 'transactions') this.addAmount(row.content as unknown as BookedAmount);
    onRow?.({ section, content, digest });
  }

  /**
   * The counts, sums and digests of all rows.
   *
   * Source: choice V4.
   */
  async finish(): Promise<AccountContent> {
    const sections = forEachSection<SectionContent>(() => ({ count: 0, digest: EMPTY }));
    for (const name of this.digests.keys()) sections[name] = await this.section(name);
    return {
      externalAccountNumber: this.externalAccountNumber,
      serviceAccountNumber: this.serviceAccountNumber,
      sections,
      amounts: new Map([...this.amounts].sort(([a], [b]) => (a < b ? -1 : 1))),
      digest: hash('sha256', SECTIONS.map((name) => `${name} ${sections[name].digest}\n`).join('')),
      rowDigests: this.digests,
    };
  }

  /** To be called even when the account is not read to its end. */
  dispose(): void {
    clear(this.digests);
  }

  /** A double holds the hundredths of an amount exactly, but not always those of a sum. */
  private addAmount({ type, amount }: BookedAmount): void {
    this.amounts.set(type, (this.amounts.get(type) ?? 0n) + BigInt(Math.round(amount * 100)));
  }

  private async section(name: Section): Promise<SectionContent> {
    const digests = this.digests.get(name);
    if (!digests) return { count: 0, digest: EMPTY };
    const sum = createHash('sha256');
    for await (const list of digests.sorted()) sum.update(`${list.join('\n')}\n`);
    return { count: digests.length, digest: sum.digest('hex') };
  }
}

/**
 * Read accounts whose rows arrive one account after the other.
 *
 * @param lists the rows, in lists as they arrive
 * @param add adds a row to its account
 * @param beforeFile called before many digests are written to a temporary file
 * @returns what each account holds, before any row of the next account is added. If the caller stops early, the lists are
 *   closed
 */
export async function* readAccounts<Row extends RowAccount>(
  lists: AsyncIterable<readonly Row[]>,
  add: (account: AccountReading, row: Row) => void,
  beforeFile?: () => void,
): AsyncGenerator<AccountContent, void, undefined> {
  let reading: AccountReading | undefined;
  try {
    for await (const rows of lists) {
      for (const row of rows) {
        if (row.external_account_number === null) continue;
        if (reading?.externalAccountNumber !== row.external_account_number) {
          const previous: AccountReading | undefined = reading;
          if (previous) yield await previous.finish();
          reading = AccountReading.after(previous, row, beforeFile);
        }
        add(reading, row);
      }
    }
    if (reading) yield await reading.finish();
  } finally {
    reading?.dispose();
  }
}

/** Take the row digests of an account, to keep them while the next account is read. The caller clears them. */
export function takeDigests({ rowDigests }: AccountContent): RowLines {
  const taken = new Map(rowDigests);
  rowDigests.clear();
  return taken;
}

export function clear(lines: RowLines): void {
  for (const ofSection of lines.values()) ofSection.clear();
}
