import type { AccountContent } from '@data-import/client';
import { byteOrderOf } from '../rows/account-order.js';
import { KINDS, type Kind } from '../kinds/kinds.js';
import { accountsIn, type AccountEntries } from './entry.js';
import {
  compareRows,
  digestsOfSections,
  expectedRows,
  type Comparison,
  type RowDifference,
} from './compare.js';
import { draftOf, type Compared, type Found, type Omitted } from './compared.js';
import { accountDigest, NO_ROWS } from './digests.js';
import { differing, NOTHING, PROBLEMS, type Tally } from './result.js';
import { countOf, inOrder, rowsOf, statedDigests, type ClientSource } from './source.js';

/** The most differences that are named. */
export const DIFFERENCES_MAX = 1_000;

export interface ComparingOptions {
  /** The path of the file with entries. */
  readonly entries: string;
  readonly kinds: readonly Kind[];
  /** The number of accounts whose rows are read at the same time. */
  readonly concurrency: number;
  readonly source: Pick<ClientSource, 'list' | 'rows'>;
  /** The earlier results, to which the new ones are added. */
  readonly compared: Compared;
  readonly signal: AbortSignal;
  /** Called with the numbers of compared rows. */
  readonly progress: (rows: Tally) => void;
}

/** An account that one side or both sides have. */
interface Pair {
  readonly account: string;
  readonly own: AccountEntries | undefined;
  readonly service: AccountContent | undefined;
}

/** The result of comparing an account. */
interface Outcome extends Pick<Found, 'digest' | 'serviceDigest' | 'rows' | 'isChanged'> {
  readonly differences: Comparison['differences'];
  /** The numbers of rows that only the service has and that were not read. */
  readonly unread?: readonly Omitted[];
}

/**
 * Compare the entries with the accounts of the service, both in the order of choice S5. Rows are read only if a digest
 * differs. The comparison continues after the last compared account, and its results are kept if it ends early.
 *
 * @throws ContradictoryAnswer, DataImportError, the reason of the signal
 */
export async function compareAll(options: ComparingOptions): Promise<void> {
  try {
    await new Comparing(options).run();
  } finally {
    await options.compared.flush();
  }
}

class Comparing {
  private readonly after: string | undefined;

  constructor(private readonly options: ComparingOptions) {
    this.after = options.compared.after;
  }

  async run(): Promise<void> {
    const { entries, compared, concurrency } = this.options;
    const own = accountsIn(entries, compared.entries);
    const underWay: [Pair, Promise<Outcome>][] = [];
    const settleFirst = async (): Promise<void> => {
      const [pair, outcome] = underWay.shift() ?? [];
      if (pair && outcome) await this.settle(pair, await outcome);
    };
    try {
      for await (const pair of this.pairs(own)) {
        const outcome = this.compare(pair);
        // The error is thrown where the outcome is awaited.
        outcome.catch(() => undefined);
        underWay.push([pair, outcome]);
        if (underWay.length >= concurrency) await settleFirst();
      }
    } finally {
      own.return(undefined);
      // If the list ends early, the accounts that were already read still count.
      while (underWay.length > 0) await settleFirst();
    }
  }

  /** The accounts of both sides, in order. */
  private async *pairs(entries: Iterator<AccountEntries, undefined>): AsyncGenerator<Pair> {
    const { source, signal } = this.options;
    let own = entries.next().value;
    // Rows without an account come first, under the empty text.
    const list = source.list(this.after === '' ? undefined : this.after, signal);
    for await (const service of inOrder(list, this.after ?? '')) {
      signal.throwIfAborted();
      const { external_account_number: account } = service;
      const order = byteOrderOf(account);
      for (; own && own.order < order; own = entries.next().value)
        yield { account: own.account, own, service: undefined };
      const isBoth = own?.order === order;
      yield { account, own: isBoth ? own : undefined, service };
      if (isBoth) own = entries.next().value;
    }
    for (; own; own = entries.next().value) {
      signal.throwIfAborted();
      yield { account: own.account, own, service: undefined };
    }
  }

  private async compare(pair: Pair): Promise<Outcome> {
    const { own, service } = pair;
    const { kinds } = this.options;
    const listed = service && statedDigests(service);
    const expected = expectedRows(own?.entries ?? []);
    const sections = own ? digestsOfSections(expected) : NO_ROWS;
    const isSame = listed && kinds.every((kind) => listed.get(kind) === sections.get(kind));
    if (!isSame) return this.compareRows(pair);
    const matched = kinds.reduce((sum, kind) => sum + (expected.get(kind)?.length ?? 0), 0);
    return {
      digest: accountDigest(sections),
      serviceDigest: service.digest,
      rows: { ...NOTHING, matched },
      differences: [],
      isChanged: false,
    };
  }

  /** Read the rows of an account and compare them. */
  private async compareRows({ account, own, service }: Pair): Promise<Outcome> {
    const { kinds, source, signal, compared } = this.options;
    const count = service ? countOf(service, kinds) : 0;
    if (!own && service && differing(compared.rows) >= DIFFERENCES_MAX) {
      return {
        digest: accountDigest(NO_ROWS),
        serviceDigest: service.digest,
        rows: { ...NOTHING, unexpected: count },
        differences: [],
        unread: kinds.map((kind) => [kind, 'unexpected', countOf(service, [kind])]),
        isChanged: false,
      };
    }
    const isRead = service !== undefined && count > 0;
    const found = isRead ? await source.rows(account, signal) : undefined;
    if (found) statedDigests(found);
    const { matched, differences, expected } = compareRows(
      own?.entries ?? [],
      found ? rowsOf(found, kinds) : [],
    );
    const serviceDigest = isRead ? found?.digest : service?.digest;
    return {
      digest: accountDigest(digestsOfSections(expected)),
      serviceDigest,
      rows: differences.reduce((sum, { problem }) => ({ ...sum, [problem]: sum[problem] + 1 }), {
        ...NOTHING,
        matched,
      }),
      differences,
      isChanged: serviceDigest !== service?.digest,
    };
  }

  private async settle({ account, own }: Pair, outcome: Outcome): Promise<void> {
    const { compared, progress } = this.options;
    const { digest, serviceDigest, rows, isChanged, differences, unread } = outcome;
    const left = DIFFERENCES_MAX - compared.named;
    const omitted = (unread ?? countsOf(differences.slice(left))).filter(([, , count]) => count > 0);
    const found = { digest, serviceDigest, rows, isChanged, omitted, end: own?.end };
    await compared.add(
      account,
      { ...found, account: accountTally(account, found, own !== undefined) },
      differences.slice(0, left).map((difference) => draftOf(account, difference)),
    );
    progress(rows);
  }
}

/** The outcome of an account, as a count of one. Rows without an account do not count as an account. */
function accountTally(
  account: string,
  { rows, serviceDigest }: Pick<Found, 'rows' | 'serviceDigest'>,
  isOwn: boolean,
): Tally {
  if (account === '') return NOTHING;
  if (differing(rows) === 0) return { ...NOTHING, matched: 1 };
  if (serviceDigest === undefined) return { ...NOTHING, missing: 1 };
  return isOwn ? { ...NOTHING, different: 1 } : { ...NOTHING, unexpected: 1 };
}

function countsOf(differences: readonly RowDifference[]): Omitted[] {
  const of = (one: RowDifference): Kind => (one.problem === 'unexpected' ? one.row.kind : one.entry.kind);
  return KINDS.flatMap((kind) =>
    PROBLEMS.map((problem) => {
      const same = differences.filter((one) => one.problem === problem && of(one) === kind);
      return [kind, problem, same.length] as const;
    }),
  );
}
