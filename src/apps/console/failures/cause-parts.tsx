import type { VNode } from 'preact';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { counted, formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { ErrorName, refusedTitle, Remedy } from '../layout/refusal.js';
import type { Column } from '../layout/table.js';
import { PERIODS, type Cause, type Period, type ShownCause, type Source } from './failures.types.js';

/** The endpoint of each kind of import request. */
export const ENDPOINTS: Readonly<Record<ImportKind, string>> = {
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
  payment_instruction: 'payment-instruction/create/',
};

/** The address of the page of a cause. @param after the last account number of the previous page */
export function causeAddress(
  code: string,
  { source, cause }: Pick<Cause, 'source' | 'cause'>,
  period: Period,
  after?: string,
): string {
  return ADDRESSES.cause(code, { source, cause, period, after });
}

/** The address of the accounts whose import failed for a cause, or for any (choice C10). */
export function failedAccounts(code: string, cause: string | undefined, file: '' | '.csv' = ''): string {
  const filter = cause === undefined ? { state: 'failed' } : { cause };
  return withQuery(`${ADDRESSES.accounts(code)}${file}`, filter);
}

/** The cause of a failure. @param address a link to the cause */
export function CauseName({ cause, address }: { cause: Cause; address: string | undefined }): VNode {
  return (
    <>
      <a href={address}>
        <CauseTitle cause={cause} />
      </a>
      <div class="muted">{cause.refusal ? refusedTitle(cause.refusal) : 'Failed import'}</div>
    </>
  );
}

/** `1 request`, `2 accounts` */
export function causeCount(source: Source, count: number): string {
  return counted(count, source === 'refusals' ? 'request' : 'account');
}

/** The title of a cause: the code and the field of refused requests, or the message of failed imports. */
function CauseTitle({ cause: { cause, refusal } }: { cause: Cause }): VNode {
  if (!refusal) return <>{cause}</>;
  const { kind, code, fieldCode, field } = refusal;
  if (kind === null) return <>The account is not imported</>;
  return <ErrorName code={fieldCode ?? code} field={field} />;
}

/** The columns that describe a cause. @param shareOf its share of all failures, in a list of causes */
export function causeColumns(
  { user, supplier, period }: Pick<ShownCause, 'user' | 'supplier' | 'period'>,
  shareOf?: (cause: Cause) => string,
): Column<Cause>[] {
  return [
    {
      head: 'Cause',
      kind: 'row',
      cell: (cause) => <CauseName cause={cause} address={causeAddress(supplier.code, cause, period)} />,
    },
    { head: 'Count', kind: 'number', cell: (cause) => causeCount(cause.source, cause.count) },
    ...(shareOf ? [{ head: 'Share', kind: 'number', cell: shareOf } as const] : []),
    {
      head: 'First and last seen',
      cell: ({ firstAt, lastAt }) => (
        <>
          <DateTime at={firstAt} relative /> <DateTime at={lastAt} relative />
        </>
      ),
    },
    { head: 'Trend', cell: (cause) => trendText(cause, period) },
    { head: 'What to do', cell: (cause) => <CauseRemedy cause={cause} user={user} /> },
  ];
}

/** Advice for the sender of the requests, or about the failed accounts. */
export function CauseRemedy({ cause: { refusal }, user }: Pick<ShownCause, 'cause' | 'user'>): VNode {
  if (refusal) return <Remedy refusal={refusal} kind={refusal.kind} field={refusal.field} />;
  return user.kind !== 'admin' ? (
    <>
      Correct the data and stage it again with <code>data-import accounts stage</code>; the next{' '}
      <code>data-import accounts import</code> imports it.
    </>
  ) : (
    <>Correct the data of these accounts, and give it to the operators of the platform again.</>
  );
}

/**
 * The last step of the period compared with the one before, with both counts. A difference of up to a tenth counts as steady.
 */
export function trendText({ trend }: Pick<Cause, 'trend'>, period: Period): string {
  const { steps, stepWords } = PERIODS[period];
  const [before = 0, last = 0] = [trend[steps - 1], trend[steps]];
  const isSame = Math.abs(last - before) <= Math.max(last, before) / 10;
  const direction = isSame ? 'steady' : last > before ? 'rising' : 'falling';
  return `${last === 0 ? 'none' : direction}: ${formatCount(last)} in the last ${stepWords}, ${formatCount(before)} in the ${stepWords} before`;
}
