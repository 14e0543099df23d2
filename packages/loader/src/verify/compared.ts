import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFiles } from '@data-import/files';
import type { Clock } from '../common/clock.js';
import { parsed } from '../common/parsed.js';
import { keyText } from '../kinds/keys.js';
import type { Kind } from '../kinds/kinds.js';
import { SortedReader, SortedWriter } from '../rows/sorted-file.js';
import type { RowDifference } from './compare.js';
import { accountLine } from './digests.js';
import { NOTHING, sumOf, type Problem, type Tally } from './result.js';

/** The prefix of the file with the results of a comparison. */
const COMPARED = 'compared-';

/** The longest time for which results are only in memory. */
const FLUSH_INTERVAL_MS = 1_000;

/** Facts about the whole comparison. */
export interface About {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** The status of the supplier when the comparison began. */
  readonly status: string;
}

/** The result for an account. */
export interface Found {
  /** The digest of the rows in the files. */
  readonly digest: string;
  /** The digest that the service stated last; absent if the service does not have the account. */
  readonly serviceDigest?: string | undefined;
  readonly rows: Tally;
  /** The outcome of the account, as a count of one. */
  readonly account: Tally;
  readonly isChanged: boolean;
  /** The position after the entries of the account; absent if the account has none. */
  readonly end?: number | undefined;
  /** The numbers of differences that are counted but not named. */
  readonly omitted: readonly Omitted[];
}

/** A number of differences in an account that are counted but not named. */
export type Omitted = readonly [kind: Kind, problem: Problem, count: number];

/** A difference whose key and fields have not been read from the files yet. */
export interface Draft {
  readonly account: string;
  readonly kind: Kind;
  readonly problem: Problem;
  /** The index of the file, and the line. */
  readonly file?: number | undefined;
  readonly line?: number | undefined;
  /** The key of a row that only the service has. */
  readonly key?: string | undefined;
  /** The canonical text of the service's row, if the row differs. */
  readonly text?: string;
}

export function draftOf(account: string, difference: RowDifference): Draft {
  const { problem } = difference;
  if (problem === 'unexpected') {
    const { kind, text } = difference.row;
    return { account, kind, problem, key: keyText(kind, text) };
  }
  const { kind, file, line } = difference.entry;
  const draft = { account, kind, problem, file, line };
  return problem === 'different' ? { ...draft, text: difference.row.text } : draft;
}

export interface ComparedOptions {
  /** The status of the supplier. */
  readonly status: string;
  /** Whether to start over, even if an earlier comparison could be continued. */
  readonly isNew: boolean;
  readonly clock: Clock;
}

/**
 * The results of a comparison, in the order of the accounts. They are in a sorted file, so that an interrupted
 * comparison can continue. An account consists of the drafts of its differences, followed by one record that counts
 * them. After a crash some accounts are compared again, but none counts twice.
 */
export class Compared {
  accounts = NOTHING;
  rows = NOTHING;
  /** The number of accounts that changed between two reads. */
  changed = 0;
  /** The account that was compared last; undefined at the beginning. */
  after: string | undefined;
  /** The position in the file with entries. */
  entries = 0;
  /** For each kind and problem, the number of differences without a draft. */
  readonly omitted = new Map<string, Omitted>();
  /** The positions of the drafts. */
  private readonly positions: number[] = [];
  private readonly digests = { files: createHash('sha256'), service: createHash('sha256') };
  private flushedAt: number;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly clock: Clock,
    /** The facts about the comparison that is continued or begins. */
    public about: About,
    private readonly writer = new SortedWriter(file),
  ) {
    this.flushedAt = clock.now();
  }

  /** @param target identifies the comparison; a comparison with another target does not continue it */
  static async open(
    folder: string,
    target: string,
    { status, isNew, clock }: ComparedOptions,
  ): Promise<Compared> {
    const name = `${COMPARED}${target}`;
    await removeFiles(folder, (other) => other.startsWith(COMPARED) && (isNew || other !== name));
    const path = join(folder, name);
    const file = await open(path, 'a', 0o600);
    const compared = new Compared(path, file, clock, { beganAt: clock.now(), status });
    await file.truncate(compared.readBack());
    if (compared.writer.size === 0) compared.writer.addText('', JSON.stringify(compared.about));
    return compared;
  }

  /** @param drafts the drafts of the differences that are named */
  async add(account: string, found: Found, drafts: readonly Draft[]): Promise<void> {
    for (const draft of drafts) {
      this.positions.push(this.writer.size);
      if (this.writer.addText(account, JSON.stringify(draft))) await this.flush();
    }
    const isFull = this.writer.addText(account, JSON.stringify(found));
    this.apply(account, found);
    if (isFull || this.clock.now() - this.flushedAt >= FLUSH_INTERVAL_MS) await this.flush();
  }

  /** The number of differences that are named. */
  get named(): number {
    return this.positions.length;
  }

  /** The digests of the files and of the service, once all accounts were compared (choice V4). */
  supplierDigests(): { readonly files: string; readonly service: string } {
    const { files, service } = this.digests;
    return { files: files.digest('hex'), service: service.digest('hex') };
  }

  /**
   * Read the drafts one at a time, because rows can be large.
   *
   * @param indexes the indexes of the drafts to read; by default all
   */
  *drafts(
    indexes: Iterable<number> = this.positions.keys(),
  ): Generator<Draft & { readonly index: number }, void, undefined> {
    const sorted = new SortedReader(this.path);
    try {
      for (const index of indexes) {
        sorted.seek(this.positions[index] ?? 0);
        sorted.next();
        yield { ...(JSON.parse(sorted.text) as Draft), index };
      }
    } finally {
      sorted.close();
    }
  }

  async flush(): Promise<void> {
    this.flushedAt = this.clock.now();
    await this.writer.flush();
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  /** Remove the results once the comparison has ended, so that the next one starts over. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** @returns the number of valid bytes. They exclude records that a killed process left incomplete */
  private readBack(): number {
    const sorted = new SortedReader(this.path);
    let [order, drafts] = ['', [] as number[]];
    try {
      while (sorted.next() && sorted.order >= order) {
        const record = parsed(sorted.text) as About | Found | Draft | undefined;
        if (record === undefined || (this.writer.size === 0 && !('beganAt' in record))) break;
        ({ order } = sorted);
        if ('problem' in record) {
          drafts.push(sorted.offset);
          continue;
        }
        if ('beganAt' in record) this.about = record;
        else this.apply(sorted.account, record);
        this.positions.push(...drafts);
        drafts = [];
        this.writer.size = sorted.offset + sorted.length;
      }
    } finally {
      sorted.close();
    }
    return this.writer.size;
  }

  private apply(account: string, found: Found): void {
    this.digests.files.update(accountLine(account, found.digest));
    if (found.serviceDigest !== undefined)
      this.digests.service.update(accountLine(account, found.serviceDigest));
    this.rows = sumOf(this.rows, found.rows);
    this.accounts = sumOf(this.accounts, found.account);
    if (found.isChanged) this.changed += 1;
    for (const [kind, problem, count] of found.omitted) {
      const name = `${kind} ${problem}`;
      this.omitted.set(name, [kind, problem, (this.omitted.get(name)?.[2] ?? 0) + count]);
    }
    this.entries = found.end ?? this.entries;
    this.after = account;
  }
}
