import type { ExpiringKey } from '../../../auth/api-keys.queries.js';
import type { ImportSupplier } from '../../../import-suppliers/import-supplier.entity.js';
import type { BoundedCount, SupplierProgress } from './progress.types.js';

const MINUTE_MS = 60_000;
/** After this many minutes without an imported account somebody should look. */
const NO_PROGRESS_MINUTES = 10;
/**
 * A document that was referred to longer ago and not looked up since needs attention. Many documents are uploaded only
 * after a request refers to them.
 */
const NOT_LOOKED_UP_MS = 24 * 60 * MINUTE_MS;
/** The minutes of the totals are known this far back. */
export const KNOWN_MINUTES = 24 * 60;

/** Something that needs attention. */
export type Attention =
  | (OfSupplier & { readonly kind: 'no_progress'; readonly accounts: number; readonly minutes: number })
  | (OfSupplier & { readonly kind: 'failed' | 'not_ongoing'; readonly accounts: number })
  | (OfSupplier & { readonly kind: 'refused' | 'missing' | 'not_looked_up'; readonly count: BoundedCount })
  | ({ readonly kind: 'key' } & ExpiringKey);

interface OfSupplier {
  readonly supplier: Pick<ImportSupplier, 'code' | 'name' | 'status'>;
}

/** Kinds of attention, the most urgent first. */
const ORDER: readonly Attention['kind'][] = [
  'no_progress',
  'failed',
  'refused',
  'key',
  'not_ongoing',
  'missing',
  'not_looked_up',
];

/**
 * Everything that needs attention, the most urgent first, and within a kind in the order of the suppliers: pending accounts
 * when none was imported for 10 minutes, failed accounts, refusals of the last hour, keys that expire, pending accounts of
 * a supplier that is not ongoing, missing documents, and documents that were referred to more than a day ago and not looked
 * up since. Archived suppliers are left out.
 *
 * @param now the end of the time without progress
 * @param keys that expire soon
 */
export function attention(
  now: Date,
  suppliers: readonly SupplierProgress[],
  keys: readonly ExpiringKey[],
): Attention[] {
  const found: Attention[] = [
    ...suppliers.flatMap((progress) => attentionOf(now, progress)),
    ...keys.map((key): Attention => ({ kind: 'key', ...key })),
  ];
  return found.sort((one, other) => ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind));
}

function attentionOf(now: Date, { supplier, totals, signs, pace }: SupplierProgress): Attention[] {
  const found: Attention[] = [];
  if (supplier.archivedAt) return found;
  const { failed } = totals.accounts;
  const pending = totals.accounts.pending + totals.accounts.in_progress;
  if (pending > 0 && supplier.status !== 'ongoing')
    found.push({ kind: 'not_ongoing', supplier, accounts: pending });
  if (pending > 0 && supplier.status === 'ongoing') {
    const minutes = minutesWithoutProgress(now, pace.pendingSince, pace.lastImportedAt);
    if (minutes >= NO_PROGRESS_MINUTES)
      found.push({ kind: 'no_progress', supplier, accounts: pending, minutes });
  }
  if (failed > 0) found.push({ kind: 'failed', supplier, accounts: failed });
  if (signs.refusals.count > 0) found.push({ kind: 'refused', supplier, count: signs.refusals });
  const { missingDocuments, documentsNotLookedUp } = signs;
  if (missingDocuments.count > 0) found.push({ kind: 'missing', supplier, count: missingDocuments });
  const { since } = documentsNotLookedUp;
  if (since && now.getTime() - since.getTime() > NOT_LOOKED_UP_MS)
    found.push({ kind: 'not_looked_up', supplier, count: documentsNotLookedUp });
  return found;
}

/** Minutes since an account was imported or, if that is later, since the oldest pending account was staged; 0 when none is pending. */
function minutesWithoutProgress(now: Date, pendingSince: Date | null, lastImportedAt: Date | null): number {
  if (!pendingSince) return 0;
  const since = Math.max(
    pendingSince.getTime(),
    lastImportedAt ? lastImportedAt.getTime() + MINUTE_MS : -Infinity,
  );
  return Math.min(Math.max(Math.floor((now.getTime() - since) / MINUTE_MS), 0), KNOWN_MINUTES);
}
