import { Injectable } from '@nestjs/common';
import { IMPORT_KINDS, type ImportKind } from '../infrastructure/item-names/item-names.js';

/** The outcome for an item of a stored request: the account did not have it yet, or already had it. */
export const ITEM_OUTCOMES = ['added', 'already_added'] as const;
type ItemOutcome = (typeof ITEM_OUTCOMES)[number];

/** Counts for the metrics the items that this process has reported as stored since it started. */
@Injectable()
export class AnsweredItems {
  private readonly counts = Object.fromEntries(
    IMPORT_KINDS.map((kind) => [kind, { added: 0, already_added: 0 }]),
  ) as Readonly<Record<ImportKind, Record<ItemOutcome, number>>>;

  /**
   * Count the items of one request. Call it once the request is stored. A dry run is not counted.
   *
   * @param items number of items in the request
   * @param added number of these items that the account did not have yet
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
