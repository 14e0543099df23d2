import type { ReadRow, Row } from '@data-import/files';
import type { RefusedField } from '../journal/events.js';
import type { Move } from '../journal/moves.js';
import { operationOf } from '../kinds/fields.js';
import { FACTS, type Kind } from '../kinds/kinds.js';
import type { Stop } from '../common/stop.js';
import type { AccountMark, ArrivedRow, Ledger } from './ledger.js';

/** The code of a transaction that lies outside the open statement period and may not be moved (choice X8). */
export const OUTSIDE = 'outside_open_statement_period';

/** A run stops after this many rows outside the period and none inside. */
const OUTSIDE_MAX = 1_000;

/** The two ways to load transactions outside the period. */
export const WAYS_OUT =
  'Either an operator of the service gives the accounts their periods (`accounts set-periods`; without `open_statement_from` a period begins on the day of import, so that all history is outside), or --force-add-to-current-statement true has the service move each date to the nearest day inside.';

/**
 * For each transaction of an accepted request, the day it was moved from and the day it was moved to (choices X7, X9). A transaction
 * that the service already has is answered with the day that was sent.
 *
 * @param body a list of results
 */
export function movesOf(kind: Kind, rows: readonly Row[], body: unknown): readonly (Move | undefined)[] {
  if (!isMovable(kind)) return [];
  const results = body as readonly {
    readonly status: string;
    readonly transaction_data: { readonly transaction_date: string };
  }[];
  return rows.map(({ item }, index): Move | undefined => {
    const result = results[index];
    if (!result || result.status !== FACTS[kind].added) return 'maybe';
    const { transaction_date: from } = JSON.parse(item) as { readonly transaction_date: string };
    const { transaction_date: to } = result.transaction_data;
    return from === to ? undefined : { from, to };
  });
}

/** Whether the service can move items of this kind to another day. */
function isMovable(kind: Kind): boolean {
  return operationOf(kind).parameters.includes('force_add_to_current_statement');
}

/** A ledger that stops a run whose first 1,000 answered transactions are all outside the period (choice L4). */
export class PeriodWatch implements Ledger {
  private outside = 0;
  private isOver = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly stop: Stop,
  ) {}

  arrived(kind: Kind, rows: readonly ArrivedRow[], mark: AccountMark | undefined): void {
    this.isOver ||= rows.length > 0 && isMovable(kind);
    this.ledger.arrived(kind, rows, mark);
  }

  failed(kind: Kind, row: ReadRow, errors: readonly RefusedField[]): void {
    this.ledger.failed(kind, row, errors);
    // Rows with other errors say nothing about the period.
    if (this.isOver || !errors.some(({ code }) => code === OUTSIDE)) return;
    this.outside += 1;
    if (this.outside < OUTSIDE_MAX) return;
    const sentence = `Stopped because the first ${OUTSIDE_MAX.toLocaleString('en')} transactions that were answered are all outside the open statement period of their account. ${WAYS_OUT} \`retry\` sends those that failed again.`;
    this.stop.because({ is: 'refused', sentence, isUsage: false });
  }

  seen(kind: Kind, account: string): readonly string[] | undefined {
    return this.ledger.seen(kind, account);
  }
}
