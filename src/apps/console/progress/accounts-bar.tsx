import type { VNode } from 'preact';
import type { AccountState } from '../../../accounts/status/account-state.js';
import { STATE_NAMES } from '../common/account-states.js';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount, formatShare } from '../common/format.js';

const WIDTH = 1_000;
/** The smallest width of a part that is not empty; otherwise one account of a million would be invisible. */
const PART_MIN = 6;

/** The states in the order of the bar. */
const PARTS: readonly AccountState[] = ['imported', 'in_progress', 'pending', 'failed'];

/** The CSS class of a state. */
const keyOf = (state: AccountState): string => `key-${state.replace('_', '-')}`;

interface AccountsBarProps {
  /** The supplier's code. */
  readonly code: string;
  readonly accounts: Readonly<Record<AccountState, number>>;
}

/** The accounts of a supplier by state, as a bar and as numbers. */
export function AccountsBar({ code, accounts }: AccountsBarProps): VNode {
  const counts = PARTS.map((state) => Math.max(accounts[state], 0));
  const all = counts.reduce((sum, count) => sum + count, 0);
  const widths = partWidths(counts);
  return (
    <>
      <svg class="bar" viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" role="img">
        <title>
          {all === 0
            ? 'No accounts'
            : PARTS.map((state, part) => `${STATE_NAMES[state]} ${formatCount(counts[part] ?? 0)}`).join(
                ', ',
              )}
        </title>
        <rect class="bar-empty" width={WIDTH} height="10" />
        {PARTS.map((state, part) => {
          const width = widths[part] ?? 0;
          const x = widths.slice(0, part).reduce((sum, before) => sum + before, 0);
          return width > 0 && <rect key={state} class={keyOf(state)} x={x} width={width} height="10" />;
        })}
      </svg>
      <ul class="legend">
        {PARTS.map((state, part) => (
          <li key={state} class={keyOf(state)}>
            <a href={ADDRESSES.accounts(code, { state })}>{STATE_NAMES[state]}</a>{' '}
            <strong>{formatCount(counts[part] ?? 0)}</strong>
            {state === 'imported' && all > 0 && (
              <span class="muted"> {formatShare(counts[part] ?? 0, all)}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The width of each part of a bar. Together they fill the bar, unless all are empty. @param counts not negative */
export function partWidths(counts: readonly number[]): number[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all === 0) return counts.map(() => 0);
  const widths = counts.map((count) =>
    count > 0 ? Math.max(PART_MIN, Math.round((count / all) * WIDTH)) : 0,
  );
  const rest = WIDTH - widths.reduce((sum, width) => sum + width, 0);
  const widest = widths.indexOf(Math.max(...widths));
  return widths.map((width, part) => (part === widest ? width + rest : width));
}
