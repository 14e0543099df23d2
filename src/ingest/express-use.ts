/** The longest pause: the number of consecutive ordinary careful queries before express is tried again. */
const PAUSE_MAX = 64;

/**
 * Decides from this process's experience whether to try a kind's express query for a supplier: a failed try costs more than a
 * successful one saves.
 *
 * Source: decision 26 (docs/decisions/).
 */
export class ExpressUse {
  /** For the metrics: express queries that stored their requests, and those that left them to the careful query. */
  readonly counts = { stored: 0, left: 0 };
  /** By supplier with a recent request that was not ordinary: the pause in ordinary careful queries, and how many of them are left. */
  private readonly pauses = new Map<number, { readonly length: number; left: number }>();

  isWorthwhile(importSupplierId: number): boolean {
    return (this.pauses.get(importSupplierId)?.left ?? 0) === 0;
  }

  /** Record the result of an express query. A failure doubles the pause, a success halves it. */
  tried(importSupplierId: number, isStored: boolean): void {
    this.counts[isStored ? 'stored' : 'left'] += 1;
    const { length = 0 } = this.pauses.get(importSupplierId) ?? {};
    const next = isStored ? length >> 1 : Math.min(length * 2 || 2, PAUSE_MAX);
    if (next === 0) this.pauses.delete(importSupplierId);
    else this.pauses.set(importSupplierId, { length: next, left: isStored ? 0 : next });
  }

  /** Record a careful query that ran in place of express. If it was not ordinary, the pause starts again. */
  leftOut(importSupplierId: number, isOrdinary: boolean): void {
    const pause = this.pauses.get(importSupplierId);
    if (pause) pause.left = isOrdinary ? Math.max(0, pause.left - 1) : pause.length;
  }
}
