import type { DocumentCounts } from '../../ingest/documents/document-counts.types.js';
import type { BoundedCount, DocumentSigns } from './facts.types.js';

/** @param max it was counted up to this number and one more */
export function bounded(count: number, max: number): BoundedCount {
  return { count: Math.min(count, max), isMore: count > max };
}

/** The counts of missing documents and of those not looked up yet. @param max they are counted up to this number */
export function documentSigns(
  { missing, notLookedUp, notLookedUpSince }: DocumentCounts,
  max: number,
): DocumentSigns {
  return {
    missingDocuments: bounded(missing, max),
    documentsNotLookedUp: { ...bounded(notLookedUp, max), since: notLookedUpSince },
  };
}

/** `1,000`, or `more than 1,000` when it was not counted further. */
export function boundedText({ count, isMore }: BoundedCount): string {
  return `${isMore ? 'more than ' : ''}${count.toLocaleString('en')}`;
}

/** `1 account`, `more than 1,000 accounts` */
export function countedBounded(bounded: BoundedCount, one: string, several = `${one}s`): string {
  return `${boundedText(bounded)} ${bounded.count === 1 && !bounded.isMore ? one : several}`;
}
