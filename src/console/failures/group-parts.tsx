import type { ComponentChildren, VNode } from 'preact';
import { REMEDIES } from '../../common/remedies.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { formatCount } from '../common/format.js';
import { PostForm } from '../layout/form.js';
import { Moment } from '../layout/date-time.js';
import type { FailureGroup, Period, RefusalGroup } from './failures.types.js';
import type { ImportKind } from '../../items/items.js';

/** The addresses of a group, and of a download; without a cause of everything. */
export const addressOf = {
  refused: (code: string, period: Period, cause: string, from?: string): string =>
    withQuery(`${ADDRESSES.failures(code)}/refusals`, { period, cause, from }),
  refusedCsv: (code: string, period: Period, cause?: string): string =>
    withQuery(`${ADDRESSES.failures(code)}/refusals.csv`, { period, cause }),
  failed: (code: string, cause: string, from?: string): string =>
    withQuery(`${ADDRESSES.failures(code)}/imports`, { cause, from }),
  failedCsv: (code: string, cause?: string): string =>
    withQuery(`${ADDRESSES.failures(code)}/imports.csv`, { cause }),
} as const;

const ENDPOINTS: Readonly<Record<ImportKind, string>> = {
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
  payment_instruction: 'payment-instruction/create/',
};

/** `1 request`, `2,000 requests` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** Names the cause of a group of refusals. */
export function RefusalTitle({ group }: { group: RefusalGroup }): VNode {
  const { code, fieldCode, field } = group;
  return (
    <>
      <code>{fieldCode ?? code}</code>
      {field !== null && field !== '' && (
        <>
          {' in '}
          <code>{field}</code>
        </>
      )}
    </>
  );
}

/** Where the requests of a group were sent, and how they were answered. */
export function RefusalFacts({ group }: { group: RefusalGroup }): VNode {
  const { kind, status, code, isDryRun } = group;
  return (
    <p class="facts">
      <code>{ENDPOINTS[kind]}</code>{' '}
      <span class="badge badge-refused">
        {status} {code}
      </span>{' '}
      {isDryRun && <span class="badge">dry run</span>}
    </p>
  );
}

/** What whoever sent the requests can do. */
export function Remedy({ group }: { group: RefusalGroup }): VNode {
  const { code, fieldCode } = group;
  const remedies: Readonly<Record<string, string>> = REMEDIES;
  const parts = (remedies[fieldCode ?? code] ?? '').split('`');
  return <p>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</p>;
}

/** How many, and from when to when. */
export function Extent({ group, what }: { group: RefusalGroup | FailureGroup; what: string }): VNode {
  const { count, firstAt, lastAt } = group;
  return (
    <dl class="figures">
      <div>
        <dt>{what}</dt>
        <dd>{formatCount(count)}</dd>
      </div>
      {firstAt && (
        <div>
          <dt>First</dt>
          <dd class="moment">
            <Moment at={firstAt} />
          </dd>
        </div>
      )}
      {lastAt && (
        <div>
          <dt>Last</dt>
          <dd class="moment">
            <Moment at={lastAt} />
          </dd>
        </div>
      )}
    </dl>
  );
}

/** A link to an account; a request need not name one. */
export function AccountLink({ code, number }: { code: string; number: string }): VNode {
  return number === '' ? (
    <span class="muted">no account number</span>
  ) : (
    <a href={ADDRESSES.account(code, number)}>{number}</a>
  );
}

/** Puts failed accounts back to pending. @param fields a cause, or the number of one account */
export function RetryForm({
  code,
  children,
  ...fields
}: {
  code: string;
  cause?: string;
  number?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <PostForm action={ADDRESSES.retry(code)}>
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
    </PostForm>
  );
}
