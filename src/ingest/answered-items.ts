import { Injectable } from '@nestjs/common';
import { IMPORT_KINDS, type ImportKind } from '../infrastructure/item-names/item-names.js';

/** What became of a stored item: the account did not have it, or had it already. */
export const ITEM_OUTCOMES = ['added', 'already_added'] as const;
type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** Counts, for the metrics, the items that this process has answered as stored since its start. */
@Injectable()
export class AnsweredItems {
  private readonly counts = Object.fromEntries(
    IMPORT_KINDS.map((kind) => [kind, { added: 0, already_added: 0 }]),
  ) as Readonly<Record<ImportKind, Record<ItemOutcome, number>>>;

  /**
   * Count the items of one request; to be called when it is stored. A dry run is not counted.
   *
   * @param items of the request
   * @param added of them, those that its account did not have
   */
  add(kind: ImportKind, isDryRun: boolean, items: number, added: number): void {
    if (isDryRun) return;
    const count = this.counts[kind];
    count.added += added;
    count.already_added += items - added;
  }

  of(kind: ImportKind, outcome: ItemOutcome): number {
    return this.counts[kind][outcome];
  }
}
