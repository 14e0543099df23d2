import type { AccountContent } from '@data-import/client';
import { grouped } from '../common/grouped.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import { earlierKeyOf } from '../verify/compare.js';
import type { AccountEntries, Entry } from '../verify/entry.js';
import type { Asked } from './accounts.js';
import { LineSet } from './line-set.js';

/** How a row is looked for: as one that arrived, as one that failed since its key is there, or not at all. */
export type Wanted = 'arrived' | 'conflict' | undefined;

/** Rows whose digest the service does not have. */
export class Suspects {
  /** Those of which nothing can be there, since their account has no rows of the kind. */
  readonly missing = new LineSet();
  /** Of the others the rows of their account have to be read. */
  readonly unclear = new LineSet();
  /** Rows that failed, of which only the fields that differ are looked for. */
  readonly conflicts = new LineSet();
  readonly kinds = new Set<Kind>();

  constructor(
    private readonly wantedOf: (entry: Entry) => Wanted,
    private readonly isDryRun: boolean,
  ) {}

  /** @returns how many rows were looked for */
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
      // In a dry run nothing was stored, and nothing is missing.
      if (!isUnclear && (clashes || wanted === 'conflict')) continue;
      (isUnclear ? this.unclear : this.missing).add(entry.file, entry.line);
      if (wanted === 'conflict') this.conflicts.add(entry.file, entry.line);
      this.kinds.add(kind);
    }
  }

  has({ file, line }: { readonly file: number; readonly line: number }): boolean {
    return this.missing.has(file, line) || this.unclear.has(file, line);
  }
}

/** A note without `created_at` is there by an equal one of the files that has it and is there (choice N4). */
function thereBy(entries: readonly Entry[], digests: ReadonlySet<string>): (entry: Entry) => boolean {
  const dated = new Set<string>();
  for (const { note, content } of entries)
    if (note?.isDated && digests.has(content)) dated.add(note.text + note.rest);
  return ({ content, note }) =>
    digests.has(content) || (note !== undefined && !note.isDated && dated.has(note.text + note.rest));
}

/** Entries whose key another one with other content has. */
function clashing(entries: readonly Entry[]): ReadonlySet<Entry> {
  const byKey = grouped(entries, (entry) => entry.note?.text ?? earlierKeyOf(entry));
  byKey.delete(undefined);
  const several = [...byKey.values()].filter((same) => new Set(same.map(({ content }) => content)).size > 1);
  return new Set(several.flat());
}
