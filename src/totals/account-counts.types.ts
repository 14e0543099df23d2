/** What an account must hold, by the columns of `account_control`; null where nothing is expected (choice V6). */
export interface ControlTotals {
  readonly notes: number | null;
  readonly transactions: number | null;
  /** Exact sum of the amounts of the transactions, a decimal with two places. */
  readonly amount: string | null;
  readonly statements: number | null;
  readonly payment_instructions: number | null;
}

/** What an account holds, by the same names. The note that is pinned for moved transactions is not counted. */
export type FoundTotals = { readonly [Name in keyof ControlTotals]: NonNullable<ControlTotals[Name]> };

/** How many accounts of a supplier have control totals, and how many of those differ from them. */
export interface ControlCounts {
  readonly with: number;
  readonly differ: number;
  /** Everything up to this moment is judged; null before they are counted for the first time. */
  readonly at: Date | null;
}

/** Control totals as they are written in files and results; `amount` is a decimal. */
export interface WrittenControl<Amount = string> {
  readonly notes?: number;
  readonly transactions?: { readonly count?: number; readonly amount?: Amount };
  readonly historical_statements?: number;
  readonly payment_instructions?: number;
}

/** The totals as they are written: what is expected of them, or everything that is found. */
export function writtenControl(totals: ControlTotals | FoundTotals): WrittenControl {
  const { notes, transactions, amount, statements, payment_instructions } = totals;
  return {
    ...(notes !== null && { notes }),
    ...((transactions !== null || amount !== null) && {
      transactions: {
        ...(transactions !== null && { count: transactions }),
        ...(amount !== null && { amount }),
      },
    }),
    ...(statements !== null && { historical_statements: statements }),
    ...(payment_instructions !== null && { payment_instructions }),
  };
}
