import { createHash } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFiles } from '@data-import/files';
import type { Clock } from '../common/clock.js';
import { keyText } from '../kinds/keys.js';
import type { Kind } from '../kinds/kinds.js';
import { SortedReader, SortedWriter } from '../rows/sorted-file.js';
import type { RowDifference } from './compare.js';
import { accountLine } from './digests.js';
import { NOTHING, sumOf, type Problem, type Tally } from './result.js';

/** Begins the name of the file with what a comparison has found out. */
const COMPARED = 'compared-';

/** Longest time for which what was found out is only in memory. */
const FLUSH_INTERVAL_MS = 1_000;

/** What holds for a comparison as a whole. */
export interface About {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  /** Of the supplier, when it began. */
  readonly status: string;
}

/** What was found out about an account. */
export interface Found {
  /** Of the rows of the files. */
  readonly digest: string;
  /** As the service stated it last; left out where it has no such account. */
  readonly serviceDigest?: string | undefined;
  readonly rows: Tally;
  /** Which sort of account it is. */
  readonly account: Tally;
  readonly isChanged: boolean;
  /** Position behind the entries of the account; left out where it has none. */
  readonly end?: number | undefined;
  /** How many of its differences are counted and not named. */
  readonly omitted: readonly Omitted[];
}

/** Differences of an account that are counted and not named. */
export type Omitted = readonly [kind: Kind, problem: Problem, count: number];

/** A difference, before its key and fields are read from the files. */
export interface Draft {
  readonly account: string;
  readonly kind: Kind;
  readonly problem: Problem;
  /** Index of the file, and the line. */
  readonly file?: number | undefined;
  readonly line?: number | undefined;
  /** Of a row that only the service has. */
  readonly key?: string | undefined;
  /** Canonical text of what the service has, of a row that differs from it. */
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
  /** Of the supplier. */
  readonly status: string;
  /** Whether an earlier comparison is not continued. */
  readonly isNew: boolean;
  readonly clock: Clock;
}

/**
 * What a comparison has found out, in the order of the accounts: a sorted file, from which it goes on when it was interrupted.
 * What belongs to an account are drafts of its differences and then one record, which counts them: a process that is killed
 * repeats some accounts and counts none twice.
 */
export class Compared {
  accounts = NOTHING;
  rows = NOTHING;
  /** Accounts that changed between two looks. */
  changed = 0;
  /** The account that was compared last; undefined at the beginning. */
  after: string | undefined;
  /** Position in the file with entries. */
  entries = 0;
  /** By kind and problem how many differences have no draft. */
  readonly omitted = new Map<string, Omitted>();
  /** Of the drafts. */
  private readonly positions: number[] = [];
  private readonly digests = { files: createHash('sha256'), service: createHash('sha256') };
  private flushedAt: number;

  private constructor(
    private readonly path: string,
    private readonly file: FileHandle,
    private readonly clock: Clock,
    /** Of the comparison that is continued, or begins. */
    public about: About,
    private readonly writer = new SortedWriter(file),
  ) {
    this.flushedAt = clock.now();
  }

  /** @param target names the comparison: another one does not continue it */
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

  /** @param drafts of differences that are named */
  async add(account: string, found: Found, drafts: readonly Draft[]): Promise<void> {
    for (const draft of drafts) {
      this.positions.push(this.writer.size);
      if (this.writer.addText(account, JSON.stringify(draft))) await this.flush();
    }
    const isFull = this.writer.addText(account, JSON.stringify(found));
    this.apply(account, found);
    if (isFull || this.clock.now() - this.flushedAt >= FLUSH_INTERVAL_MS) await this.flush();
  }

  /** How many differences are named. */
  get named(): number {
    return this.positions.length;
  }

  /** Of the files and the service, when all accounts were compared (choice V4). */
  supplierDigests(): { readonly files: string; readonly service: string } {
    const { files, service } = this.digests;
    return { files: files.digest('hex'), service: service.digest('hex') };
  }

  /** Drafts, one at a time, since rows can be large. @param indexes of those that are wanted; all without them */
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

  /** The comparison has ended: the next one begins anew. */
  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  /** @returns how many bytes count: what a process that was killed has left half is not among them */
  private readBack(): number {
    const sorted = new SortedReader(this.path);
    let [order, drafts] = ['', [] as number[]];
    try {
      while (sorted.next() && sorted.order >= order) {
        const record = parsed(sorted.text);
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

/** @returns undefined for what a machine without power has left */
function parsed(text: string): About | Found | Draft | undefined {
  try {
    return JSON.parse(text) as About | Found | Draft;
  } catch {
    return undefined;
  }
}
