import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { counted } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { KNOWN_MINUTES, type Attention } from './attention.js';
import { countedBounded, documentsAddress, documentsText } from './progress-parts.js';

/** How many sentences of one supplier, or lines of all, are shown at once; the others are folded. */
const SENTENCES_SHOWN = 12;
const LINES_SHOWN = 3;

/** Everything that needs attention at one supplier, one sentence each. */
export function AttentionList({ attention }: { attention: readonly Attention[] }): VNode {
  return <Lines groups={attention.map((one) => [one])} shownMax={SENTENCES_SHOWN} />;
}

/** Everything that needs attention at several suppliers, one line each. Three lines are shown at once. */
export function GroupedAttention({ attention }: { attention: readonly Attention[] }): VNode {
  const groups = new Map<unknown, Attention[]>();
  for (const one of attention) {
    const key = one.kind === 'key' ? one : one.supplier.code;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return <Lines groups={[...groups.values()]} shownMax={LINES_SHOWN} />;
}

interface LinesProps {
  /** Each group is about one supplier or one key, the most urgent first. */
  readonly groups: readonly (readonly Attention[])[];
  readonly shownMax: number;
}

function Lines({ groups, shownMax }: LinesProps): VNode {
  if (groups.length === 0) return <p class="nothing">Nothing needs attention.</p>;
  const rest = groups.slice(shownMax);
  return (
    <>
      <Groups groups={groups.slice(0, shownMax)} />
      {rest.length > 0 && (
        <details id="attention-rest">
          <summary>{`${rest.length} more`}</summary>
          <Groups groups={rest} />
        </details>
      )}
    </>
  );
}

function Groups({ groups }: Pick<LinesProps, 'groups'>): VNode {
  return (
    <ul class="attention">
      {groups.map((group) => (
        <li class={`attention-${(group[0]?.kind ?? '').replaceAll('_', '-')}`}>
          <Line group={group} />
        </li>
      ))}
    </ul>
  );
}

function Line({ group }: { group: readonly Attention[] }): VNode {
  const [first] = group;
  if (first?.kind === 'key') {
    return (
      <>
        The key “{first.label}” of {first.organisation} expires <DateTime at={first.expiresAt} relative />.
      </>
    );
  }
  const ofSupplier = group.filter((one) => one.kind !== 'key');
  const { supplier } = ofSupplier[0] ?? {};
  return (
    <>
      {supplier && <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>}:{' '}
      {ofSupplier.map((one, index) => (
        <>
          {index > 0 && '; '}
          {textOf(one)}
        </>
      ))}
      .
    </>
  );
}

function textOf(one: Exclude<Attention, { kind: 'key' }>): ComponentChildren {
  const { code, status } = one.supplier;
  const failures = ADDRESSES.failures(code, { period: one.kind === 'refused' ? 'hour' : null });
  switch (one.kind) {
    case 'no_progress':
      return (
        <>
          no account was imported for {minutesText(one.minutes)}, and{' '}
          <Pending code={code} accounts={one.accounts} />
        </>
      );
    case 'not_ongoing':
      return (
        <>
          the supplier is {status}, and <Pending code={code} accounts={one.accounts} />
        </>
      );
    case 'failed':
      return (
        <>
          the import of <a href={failures}>{counted(one.accounts, 'account')}</a> has failed
        </>
      );
    case 'refused':
      return (
        <>
          <a href={failures}>{countedBounded(one.count, 'request')} rejected</a> in the last hour
        </>
      );
    case 'missing':
    case 'not_looked_up':
      return (
        <>
          <a href={documentsAddress(code, one.kind)}>{documentsText(one.kind, one.count)}</a>
          {one.kind === 'not_looked_up' && ', the oldest for more than a day'}
        </>
      );
  }
}

/** Includes accounts in progress, which are not imported yet either. */
function Pending({ code, accounts }: { code: string; accounts: number }): VNode {
  return (
    <>
      <a href={ADDRESSES.accounts(code, { state: 'pending' })}>{counted(accounts, 'account')}</a>{' '}
      {accounts === 1 ? 'is' : 'are'} pending
    </>
  );
}

/** @param minutes a whole number, at most a day */
function minutesText(minutes: number): string {
  if (minutes >= KNOWN_MINUTES) return 'more than a day';
  if (minutes < 120) return counted(minutes, 'minute');
  return counted(Math.floor(minutes / 60), 'hour');
}
