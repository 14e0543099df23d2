import type { Clock } from '../common/clock.js';
import { byteOrderOf } from '../rows/account-order.js';
import type { Kind } from '../kinds/kinds.js';
import { EntriesReader, type AccountEntries } from './account-entries.js';
import type { Checkpoints } from './checkpoint.js';
import { compareRows, digestsOfSections, expectedRows, type Comparison } from './compare.js';
import { accountDigest, accountLine, NO_ROWS, type SectionDigests } from './digests.js';
import { draftOf } from './drafts.js';
import { differing, NOTHING, sumOf, type Tally } from './result.js';
import { countOf, rowsOf, statedDigests } from './service-rows.js';
import { inOrder, type AccountContent, type ContentSource } from './source.js';

/** Differences that are named. */
export const DIFFERENCES_MAX = 1_000;

const CHECKPOINT_INTERVAL_MS = 1_000;

export interface ComparingOptions {
  /** Path of the file with entries. */
  readonly entries: string;
  readonly kinds: readonly Kind[];
  /** Accounts whose rows are read at a time. */
  readonly concurrency: number;
  readonly source: ContentSource;
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What a checkpoint has of the comparison as a whole. */
  readonly about: { readonly target: string; readonly beganAt: number; readonly status: string };
  /** Called with what was compared. */
  readonly progress: (rows: Tally) => void;
}

export interface Totals {
  readonly accounts: Tally;
  readonly rows: Tally;
  readonly changed: number;
}

/** An account of one side or both. */
interface Pair {
  readonly account: string;
  readonly own: AccountEntries | undefined;
  readonly service: AccountContent | undefined;
}

/** What was found out about an account. */
interface Outcome {
  readonly account: string;
  /** Of the rows of the files. */
  readonly digest: string;
  /** As the service stated it last; undefined where it has no such account. */
  readonly serviceDigest: string | undefined;
  readonly rows: Tally;
  readonly differences: Comparison['differences'];
  readonly isChanged: boolean;
  /** Position behind the entries of the account. */
  readonly end: number | undefined;
  readonly isOwn: boolean;
}

/**
 * Compare entries with the accounts of the service, both in the order of choice S5. Rows are read only where a digest
 * differs. It begins where the checkpoint says, and leaves one when it ends early.
 *
 * @throws ContradictoryAnswer, DataImportError, the reason of the signal
 */
export async function compareAll(options: ComparingOptions): Promise<Totals> {
  const comparing = new Comparing(options);
  try {
    return await comparing.run();
  } catch (error) {
    await comparing.leaveCheckpoint();
    throw error;
  }
}

class Comparing {
  private accounts: Tally;
  private rows: Tally;
  private changed: number;
  /** The account that was compared last. */
  private after: string | undefined;
  private position: number;
  private savedAt: number;

  constructor(private readonly options: ComparingOptions) {
    const { last } = options.checkpoints;
    this.accounts = last?.accounts ?? NOTHING;
    this.rows = last?.rows ?? NOTHING;
    this.changed = last?.changed ?? 0;
    this.after = last?.after;
    this.position = last?.entries ?? 0;
    this.savedAt = options.clock.now();
  }

  async run(): Promise<Totals> {
    const { entries, concurrency } = this.options;
    const reader = new EntriesReader(entries, this.position);
    const underWay: Promise<Outcome>[] = [];
    try {
      for await (const pair of this.pairs(reader)) {
        const outcome = this.compare(pair);
        // It is thrown where it is waited for.
        outcome.catch(() => undefined);
        underWay.push(outcome);
        if (underWay.length >= concurrency) await this.settleFirst(underWay);
      }
    } finally {
      reader.close();
      // Also when the list ends early: what was read of it counts.
      while (underWay.length > 0) await this.settleFirst(underWay);
    }
    await this.options.checkpoints.flush();
    return { accounts: this.accounts, rows: this.rows, changed: this.changed };
  }

  private async settleFirst(underWay: Promise<Outcome>[]): Promise<void> {
    const outcome = await underWay.shift();
    if (outcome) await this.settle(outcome);
    const isDue = this.options.clock.now() - this.savedAt >= CHECKPOINT_INTERVAL_MS;
    if (isDue) await this.leaveCheckpoint();
  }

  async leaveCheckpoint(): Promise<void> {
    this.savedAt = this.options.clock.now();
    if (this.after === undefined) return;
    const { about, checkpoints } = this.options;
    const { accounts, rows, changed, after, position: entries } = this;
    await checkpoints.write({ ...about, after, entries, accounts, rows, changed });
  }

  /** The accounts of both sides in their order. */
  private async *pairs(reader: EntriesReader): AsyncGenerator<Pair> {
    const { source, signal } = this.options;
    let own = reader.next();
    // Rows without an account come first, under the empty text.
    const list = source.list(this.after === '' ? undefined : this.after, signal);
    for await (const service of inOrder(list, this.after ?? '')) {
      signal.throwIfAborted();
      const { external_account_number: account } = service;
      const order = byteOrderOf(account);
      for (; own && own.order < order; own = reader.next())
        yield { account: own.account, own, service: undefined };
      const isBoth = own?.order === order;
      yield { account, own: isBoth ? own : undefined, service };
      if (isBoth) own = reader.next();
    }
    for (; own; own = reader.next()) {
      signal.throwIfAborted();
      yield { account: own.account, own, service: undefined };
    }
  }

  private async compare({ account, own, service }: Pair): Promise<Outcome> {
    const { kinds } = this.options;
    const entries = own?.entries ?? [];
    const listed = service && statedDigests(service);
    const expected = expectedRows(entries);
    const sections = own ? digestsOfSections(expected) : NO_ROWS;
    const result = { account, end: own?.end, isOwn: entries.length > 0 };
    if (listed && kinds.every((kind) => listed.get(kind) === sections.get(kind))) {
      const matched = kinds.reduce((sum, kind) => sum + (expected.get(kind)?.length ?? 0), 0);
      const rows = { ...NOTHING, matched };
      return {
        ...result,
        digest: accountDigest(sections),
        serviceDigest: service.digest,
        rows,
        differences: [],
        isChanged: false,
      };
    }
    return { ...result, ...(await this.compareRows(account, own, service)) };
  }

  /** Read the rows of an account and compare them. */
  private async compareRows(
    account: string,
    own: AccountEntries | undefined,
    service: AccountContent | undefined,
  ): Promise<Pick<Outcome, 'digest' | 'serviceDigest' | 'rows' | 'differences' | 'isChanged'>> {
    const { kinds, source, signal } = this.options;
    const count = service ? countOf(service, kinds) : 0;
    if (!own && differing(this.rows) >= DIFFERENCES_MAX) {
      const rows = { ...NOTHING, unexpected: count };
      const serviceDigest = service?.digest;
      return { digest: accountDigest(NO_ROWS), serviceDigest, rows, differences: [], isChanged: false };
    }
    const isRead = service !== undefined && count > 0;
    const found = isRead ? await source.rows(account, signal) : undefined;
    if (found) statedDigests(found);
    const { matched, differences, expected } = compareRows(
      own?.entries ?? [],
      found ? rowsOf(found, kinds) : [],
    );
    const problems = (problem: string): number =>
      differences.filter((difference) => difference.problem === problem).length;
    const rows = {
      matched,
      different: problems('different'),
      missing: problems('missing'),
      unexpected: problems('unexpected'),
    };
    const serviceDigest = isRead ? found?.digest : service?.digest;
    const isChanged = serviceDigest !== service?.digest;
    const sections: SectionDigests = digestsOfSections(expected);
    return { digest: accountDigest(sections), serviceDigest, rows, differences, isChanged };
  }

  private async settle(outcome: Outcome): Promise<void> {
    const { checkpoints, progress } = this.options;
    const { account, digest, serviceDigest, rows, differences, isChanged, end } = outcome;
    const named = Math.min(DIFFERENCES_MAX, differing(this.rows));
    for (const difference of differences.slice(0, DIFFERENCES_MAX - named)) {
      await checkpoints.append('differences', `${JSON.stringify(draftOf(account, difference))}\n`);
    }
    await checkpoints.append('digest-lines', accountLine(account, digest));
    if (serviceDigest !== undefined) {
      await checkpoints.append('service-digest-lines', accountLine(account, serviceDigest));
    }
    this.rows = sumOf(this.rows, rows);
    this.accounts = sumOf(this.accounts, accountTally(outcome));
    if (isChanged) this.changed += 1;
    this.position = end ?? this.position;
    this.after = account;
    progress(rows);
  }
}

/** Which sort of account it is. Rows without an account are none. */
function accountTally({ account, rows, serviceDigest, isOwn }: Outcome): Tally {
  if (account === '') return NOTHING;
  if (differing(rows) === 0) return { ...NOTHING, matched: 1 };
  if (serviceDigest === undefined) return { ...NOTHING, missing: 1 };
  return isOwn ? { ...NOTHING, different: 1 } : { ...NOTHING, unexpected: 1 };
}
