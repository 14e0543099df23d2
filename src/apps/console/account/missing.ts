import type { SentRequest } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { ITEM_NAMES, type ItemName } from '../../../infrastructure/item-names/item-names.js';
import { ITEMS } from '../../../ingest/kinds/items.js';
import type { ComparedAccount } from '../differences/differences.types.js';

/** Rows of one kind that an account lacks, and why. */
export interface MissingRows {
  readonly name: ItemName;
  /** Undefined when nobody said how many there must be. */
  readonly count: { readonly missing: number; readonly expected: number } | undefined;
  /** The newest refused request of the kind; undefined when none was sent that was refused. */
  readonly refused: { readonly request: SentRequest; readonly requests: number } | undefined;
}

/**
 * The kinds of which an imported account lacks rows: fewer are stored than its control totals expect, or, without control totals,
 * none is stored and some were refused.
 *
 * @param requests the newest ones of the account, newest first
 */
export function missingRows(
  control: ComparedAccount | undefined,
  stored: Readonly<Record<ItemName, number>>,
  requests: readonly SentRequest[],
): MissingRows[] {
  return ITEM_NAMES.flatMap((name): MissingRows[] => {
    const expected = control?.expected[name] ?? null;
    const missing = expected === null ? 0 : expected - stored[name];
    const refusals = requests.filter(({ kind, status }) => status !== null && kind === ITEMS[name].request);
    const [newest] = refusals;
    if (missing <= 0 && (expected !== null || stored[name] > 0 || !newest)) return [];
    return [
      {
        name,
        count: expected === null ? undefined : { missing, expected },
        refused: newest && { request: newest, requests: refusals.length },
      },
    ];
  });
}
