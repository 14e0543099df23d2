import { ReturnTimes } from './return-times.js';

/** A holder has less than this share of the whole when it is admitted. */
const HOLDER_SHARE = 1 / 4;
/** And less than this share of what is free. */
const FREE_SHARE = 1 / 2;
/** This share of the whole is for those that hold nothing. */
const RESERVED_SHARE = 1 / 8;

/** How an amount is divided. All numbers are in the unit of the amount. */
export interface Division {
  readonly whole: number;
  /** A holder is admitted while it has less. */
  readonly holderMax: number;
  /** A holder is admitted while it has less than this share of what is free. */
  readonly freeShare: number;
  /** Who has something is admitted while more is free. */
  readonly reserved: number;
}

/** The division of what is refused when it is used up. Source: choice T18. */
export function quarters(whole: number): Division {
  return {
    whole,
    holderMax: whole * HOLDER_SHARE,
    freeShare: FREE_SHARE,
    reserved: whole * RESERVED_SHARE,
  };
}

interface Holder {
  amount: number;
  /** Pieces of work that the amount is for. */
  pieces: number;
  readonly returnTimes: ReturnTimes;
}

/** How much of one resource is held, and by whom. Everything that a process divides among holders is counted by one of these. */
export class Allotment {
  /** Of every holder that has ever held something, for its return times. */
  private readonly holders = new Map<string, Holder>();
  private held = 0;
  /** Times that a holder was not admitted. */
  refused = 0;

  constructor(readonly division: Division) {}

  /** What is held of the whole; more than 1 when amounts turned out to be larger than was known at their admission. */
  get usedShare(): number {
    return this.held / this.division.whole;
  }

  /** Whether a holder may take more: what it takes is not looked at, only what it has and what is free. */
  admits(name: string): boolean {
    const { whole, holderMax, freeShare, reserved } = this.division;
    const free = whole - this.held;
    const amount = this.holders.get(name)?.amount ?? 0;
    if (amount === 0) return free > 0;
    return amount < holderMax && amount < free * freeShare && free > reserved;
  }

  /** Count a piece of work. @param amount 0 or more */
  take(name: string, amount = 1): void {
    this.change(name, amount).pieces += 1;
  }

  /** Count the end of a piece of work. @param durationMs from its beginning */
  give(name: string, amount = 1, durationMs?: number): void {
    const holder = this.change(name, -amount);
    holder.pieces -= 1;
    if (durationMs !== undefined) holder.returnTimes.completed(durationMs);
  }

  /** A piece of work that is counted holds more than before, or less. */
  change(name: string, difference: number): Holder {
    let holder = this.holders.get(name);
    if (!holder) {
      holder = { amount: 0, pieces: 0, returnTimes: new ReturnTimes() };
      this.holders.set(name, holder);
    }
    holder.amount += difference;
    this.held += difference;
    return holder;
  }

  /** Count a holder that is not admitted. @returns after how many whole seconds it may return, 1 to 30 */
  refuse(name: string): number {
    this.refused += 1;
    const { returnTimes, pieces } = this.change(name, 0);
    return returnTimes.next(performance.now(), Math.max(1, pieces));
  }
}
