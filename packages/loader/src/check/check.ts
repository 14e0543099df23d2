import type { AccountContent } from '@data-import/client';
import type { Row } from '@data-import/files';
import { KINDS, type Kind } from '../kinds/kinds.js';
import type { CheckLedger } from '../send/ledger.js';
import type { AccountEntries, Entry } from '../verify/entry.js';
import { countOf, rowsOf, type ClientSource } from '../verify/source.js';
import { askFor } from './accounts.js';
import { Judge, NOT_FOUND } from './judge.js';
import { Suspects, type Wanted } from './suspects.js';

/** A row, and the place of its entry. */
export interface PlacedRow {
  readonly row: Row;
  readonly file: number;
  readonly line: number;
}

/** The rows that a run is to look for. */
export interface CheckedRows {
  /** The accounts in the order of choice S5. */
  readonly accounts: () => Iterable<AccountEntries>;
  /**
   * Decides how to look for a row. It is called whenever {@link check} looks for the rows, because the answer may have
   * changed.
   */
  readonly wanted: () => Promise<(entry: Entry) => Wanted>;
  /** Reads the rows of a kind again. The rows of an account come one after the other. */
  readonly rows: (kind: Kind) => AsyncIterable<readonly PlacedRow[]>;
  readonly ledger: CheckLedger;
}

/** For each kind, the number of rows that the service lacks. */
export type Missed = ReadonlyMap<Kind, number>;

export interface CheckOptions {
  readonly source: Pick<ClientSource, 'listDigests' | 'digests' | 'rows'>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly isDryRun: boolean;
  /** Sends the missing rows again. */
  readonly sendAgain: (missed: Missed) => Promise<void>;
  /** Called in a dry run with the rows that the service has already, although it answered as if they were new. */
  readonly known: (kind: Kind, rows: number) => void;
  /** Called with the number of rows that were looked up. */
  readonly progress: (rows: number) => void;
}

/**
 * Look up every row that counts as stored at the service, by its digest. A row that is missing is sent again and looked
 * up once more; if it is still missing, it fails. A row whose key the service has with other content fails at once.
 *
 * @returns the number of rows of each kind that were missing and sent again
 * @throws ContradictoryAnswer, DataImportError, the reason of the signal
 * Source: choices L10, L14.
 */
export async function check(checked: CheckedRows, options: CheckOptions): Promise<Missed> {
  const first = await suspectsOf(checked, options, () => true);
  const missed = await new Round(first, checked, options, true).run();
  for (const [kind, rows] of first.known) options.known(kind, rows);
  if (missed.size === 0) return missed;
  await options.sendAgain(missed);
  options.signal.throwIfAborted();
  const second = await suspectsOf(checked, options, (entry) => first.has(entry));
  await new Round(second, checked, options, false).run();
  return missed;
}

/** Find the rows whose digests the service does not have. */
async function suspectsOf(
  { accounts, wanted }: CheckedRows,
  options: CheckOptions,
  isMeant: (entry: Entry) => boolean,
): Promise<Suspects> {
  const wantedOf = await wanted();
  const isWanted = (entry: Entry): Wanted => (isMeant(entry) ? wantedOf(entry) : undefined);
  function* own(): Generator<AccountEntries> {
    for (const account of accounts()) {
      const entries = account.entries.filter(isWanted);
      if (entries.length > 0) yield { ...account, entries };
    }
  }
  const suspects = new Suspects(isWanted, options.isDryRun);
  const { source, signal, concurrency } = options;
  const asking = {
    single: (account: string) => source.digests(account, signal),
    list: (after: string) => source.listDigests(after, signal),
    rowsOf: (service: AccountContent) => countOf(service, KINDS),
    concurrency,
  };
  for await (const asked of askFor(own(), asking)) {
    signal.throwIfAborted();
    options.progress(suspects.add(asked));
  }
  return suspects;
}

/** Decides about suspects and records the outcome of each. */
class Round {
  constructor(
    private readonly suspects: Suspects,
    private readonly checked: CheckedRows,
    private readonly options: CheckOptions,
    private readonly isFirst: boolean,
  ) {}

  /** @returns the rows to send again */
  async run(): Promise<Missed> {
    const missed = new Map<Kind, number>();
    for (const kind of this.suspects.kinds) {
      let count = 0;
      for await (const accounts of this.accounts(kind)) {
        const judges = await Promise.all(accounts.map((rows) => this.judgeOf(kind, rows)));
        for (const [index, rows] of accounts.entries()) {
          const judge = judges[index];
          if (judge) count += this.settle(kind, rows, judge);
        }
      }
      if (count > 0) missed.set(kind, count);
    }
    return missed;
  }

  /** The accounts with suspects, in groups of as many as are requested at the same time. */
  private async *accounts(kind: Kind): AsyncGenerator<readonly PlacedRow[][]> {
    const { concurrency, signal } = this.options;
    let accounts: PlacedRow[][] = [];
    for await (const rows of this.checked.rows(kind)) {
      signal.throwIfAborted();
      for (const placed of rows) {
        if (!this.suspects.has(placed)) continue;
        const last = accounts.at(-1);
        if (last?.[0]?.row.account === placed.row.account) last.push(placed);
        else {
          if (accounts.length >= concurrency) {
            yield accounts;
            accounts = [];
          }
          accounts.push([placed]);
        }
      }
    }
    yield accounts;
  }

  /** Read the rows that the service has of an account, if it has any. */
  private async judgeOf(kind: Kind, rows: readonly PlacedRow[]): Promise<Judge> {
    const { source, signal } = this.options;
    const unclear = rows.find(({ file, line }) => this.suspects.unclear.has(file, line));
    const content = unclear && (await source.rows(unclear.row.account, signal));
    return new Judge(kind, content ? rowsOf(content, [kind]) : []);
  }

  /** @returns the number of rows to send again */
  private settle(kind: Kind, rows: readonly PlacedRow[], judge: Judge): number {
    const { ledger } = this.checked;
    const missed: Row[] = [];
    for (const { row, file, line } of rows) {
      const isConflict = this.suspects.conflicts.has(file, line);
      const verdict = judge.decide(row);
      if (typeof verdict !== 'string') ledger[isConflict ? 'explained' : 'refuted'](kind, row, verdict);
      if (verdict !== 'missing' || isConflict) continue;
      if (this.options.isDryRun) judge.add(row);
      else if (this.isFirst && ledger.maySendAgain(kind, row)) missed.push(row);
      else ledger.refuted(kind, row, [NOT_FOUND]);
    }
    if (missed.length > 0) ledger.missed(kind, missed);
    return missed.length;
  }
}
