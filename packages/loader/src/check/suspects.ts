import type { AccountContent } from '@data-import/client';
import { grouped } from '../common/grouped.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import { earlierKeyOf } from '../verify/compare.js';
import type { AccountEntries, Entry } from '../verify/entry.js';
import type { Asked } from './accounts.js';
import { LineSet } from './line-set.js';

/**
 * The way to look for a row. `arrived` looks for the row itself; `conflict` is for a row that failed because the service
 * has its key with other content; undefined means that it is not looked for.
 */
export type Wanted = 'arrived' | 'conflict' | undefined;

/** Rows whose digest the service does not have. */
export class Suspects {
  /** Rows that are certainly missing, because the service has no rows of this kind for their account. */
  readonly missing = new LineSet();
  /** Rows for which the service's rows of their account must be read. */
  readonly unclear = new LineSet();
  /** Rows that failed. Only the fields that differ are looked for. */
  readonly conflicts = new LineSet();
  readonly kinds = new Set<Kind>();
  /** In a dry run, the number of different rows that the service has, of kinds whose answers do not say so. */
  readonly known = new Map<Kind, number>();

  constructor(
    private readonly wantedOf: (entry: Entry) => Wanted,
    private readonly isDryRun: boolean,
  ) {}

  /** @returns the number of rows that were looked for */
  add({ own, service }: Asked<AccountEntries, AccountContent>): number {
    let count = 0;
    for (const kind of new Set(own.entries.map((entry) => entry.kind))) {
      const section = service?.[FACTS[kind].section];
      const entries = own.entries.filter((entry) => entry.kind === kind && this.wantedOf(entry));
      this.addSection(kind, entries, new Set(section?.row_digests));
      count += entries.length;
    }
    return count;
  }

  private addSection(kind: Kind, entries: readonly Entry[], digests: ReadonlySet<string>): void {
    const isThere = thereBy(entries, digests);
    const clashes = this.isDryRun ? clashing(entries) : undefined;
    for (const entry of entries) {
      const wanted = this.wantedOf(entry);
      if (wanted === 'arrived' && isThere(entry)) continue;
      const isUnclear = digests.size > 0 || clashes?.has(entry) === true;
      // A dry run stores nothing, so nothing is missing.
      if (!isUnclear && (clashes || wanted === 'conflict')) continue;
      (isUnclear ? this.unclear : this.missing).add(entry.file, entry.line);
      if (wanted === 'conflict') this.conflicts.add(entry.file, entry.line);
      this.kinds.add(kind);
    }
    if (clashes && FACTS[kind].added === undefined) {
      const there = entries.filter((entry) => this.wantedOf(entry) === 'arrived' && isThere(entry));
      const { size } = new Set(there.map(({ content }) => content));
      this.known.set(kind, (this.known.get(kind) ?? 0) + size);
    }
  }

  has({ file, line }: { readonly file: number; readonly line: number }): boolean {
    return this.missing.has(file, line) || this.unclear.has(file, line);
  }
}

/**
 * A test whether the service has a row. A note without `created_at` counts as stored if the files contain an equal note
 * with `created_at` and the service has that one (choice N4).
 */
function thereBy(entries: readonly Entry[], digests: ReadonlySet<string>): (entry: Entry) => boolean {
  const dated = new Set<string>();
  for (const { note, content } of entries)
    if (note?.isDated && digests.has(content)) dated.add(note.text + note.rest);
  return ({ content, note }) =>
    digests.has(content) || (note !== undefined && !note.isDated && dated.has(note.text + note.rest));
}

/** The entries whose key another entry has with other content. */
function clashing(entries: readonly Entry[]): ReadonlySet<Entry> {
  const byKey = grouped(entries, (entry) => entry.note?.text ?? earlierKeyOf(entry));
  byKey.delete(undefined);
  const several = [...byKey.values()].filter((same) => new Set(same.map(({ content }) => content)).size > 1);
  return new Set(several.flat());
}
