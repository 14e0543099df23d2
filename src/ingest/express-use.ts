/** So many careful queries in a row must have found everything ordinary before express is tried again, at most. */
const PAUSE_MAX = 64;

/**
 * Whether the express query of a kind is worth trying for a supplier, as this process has learned: in vain it costs more than it wins.
 *
 * Source: decision 26 (docs/decisions/).
 */
export class ExpressUse {
  /** For the metrics: queries that have stored their requests, and those that have left them to the careful query. */
  readonly counts = { stored: 0, left: 0 };
  /** Of suppliers with something that was not ordinary lately: how many careful queries express waits for, and how many are left. */
  private readonly pauses = new Map<number, { readonly length: number; left: number }>();

  isWorthwhile(importSupplierId: number): boolean {
    return (this.pauses.get(importSupplierId)?.left ?? 0) === 0;
  }

  /** An express query has ended. */
  tried(importSupplierId: number, isStored: boolean): void {
    this.counts[isStored ? 'stored' : 'left'] += 1;
    const { length = 0 } = this.pauses.get(importSupplierId) ?? {};
    const next = isStored ? length >> 1 : Math.min(length * 2 || 2, PAUSE_MAX);
    if (next === 0) this.pauses.delete(importSupplierId);
    else this.pauses.set(importSupplierId, { length: next, left: isStored ? 0 : next });
  }

  /** A careful query has ended in place of an express query. */
  leftOut(importSupplierId: number, isOrdinary: boolean): void {
    const pause = this.pauses.get(importSupplierId);
    if (pause) pause.left = isOrdinary ? Math.max(0, pause.left - 1) : pause.length;
  }
}
