import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { counted } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { KNOWN_MINUTES, type Attention } from './attention.js';
import { countedBounded } from './progress-parts.js';

/** So many sentences can be seen at once; the others are folded. */
const SHOWN_MAX = 12;

/** What needs attention, a sentence each. */
export function AttentionList({ attention }: { attention: readonly Attention[] }): VNode {
  if (attention.length === 0) return <p class="nothing">Nothing needs attention.</p>;
  const rest = attention.slice(SHOWN_MAX);
  return (
    <>
      <Sentences attention={attention.slice(0, SHOWN_MAX)} />
      {rest.length > 0 && (
        <details id="attention-rest">
          <summary>{`${rest.length} more`}</summary>
          <Sentences attention={rest} />
        </details>
      )}
    </>
  );
}

function Sentences({ attention }: { attention: readonly Attention[] }): VNode {
  return (
    <ul class="attention">
      {attention.map((one) => (
        <li class={`attention-${one.kind.replace('_', '-')}`}>
          <Sentence attention={one} />
        </li>
      ))}
    </ul>
  );
}

function Sentence({ attention: one }: { attention: Attention }): VNode {
  if (one.kind === 'key') {
    return (
      <>
        The key “{one.label}” of {one.organisation} expires on <DateTime at={one.expiresAt} />.
      </>
    );
  }
  const { supplier } = one;
  const page = <a href={ADDRESSES.supplier(supplier.code)}>{supplier.name}</a>;
  return (
    <>
      {page}: {textOf(one)}
    </>
  );
}

function textOf(one: Exclude<Attention, { kind: 'key' }>): ComponentChildren {
  const { code } = one.supplier;
  switch (one.kind) {
    case 'no_progress':
      return `no account was imported for ${minutesText(one.minutes)}, and ${isAre(one.accounts)} pending.`;
    case 'not_ongoing':
      return `the supplier is ${one.supplier.status}, and ${isAre(one.accounts)} pending.`;
    case 'failed':
      return (
        <>
          the import of <a href={ADDRESSES.failures(code)}>{counted(one.accounts, 'account')}</a> has failed.
        </>
      );
    case 'refused':
      return (
        <>
          <a href={ADDRESSES.failures(code)}>{countedBounded(one.count, 'request')} refused</a> in the last
          hour.
        </>
      );
    case 'documents':
      return (
        <>
          <a href={`${ADDRESSES.supplier(code)}#documents`}>
            {countedBounded(one.count, 'document')} not seen
          </a>{' '}
          in the document store.
        </>
      );
  }
}

function isAre(accounts: number): string {
  return `${counted(accounts, 'account')} ${accounts === 1 ? 'is' : 'are'}`;
}

/** @param minutes whole ones, at most those of a day */
function minutesText(minutes: number): string {
  if (minutes >= KNOWN_MINUTES) return 'more than a day';
  if (minutes < 120) return counted(minutes, 'minute');
  return counted(Math.floor(minutes / 60), 'hour');
}
