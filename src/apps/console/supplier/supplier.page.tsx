import type { VNode } from 'preact';
import type { SupplierTotals } from '../../../capabilities/totals/totals.types.js';
import { ADDRESSES } from '../common/addresses.js';
import { STATE_NAMES } from '../common/account-states.js';
import { formatCount, formatShare } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Section, UpdatingPart } from '../layout/section.js';
import { Timeline, type TimelineEvent } from '../layout/timeline.js';
import { ConditionsList, StandingBadge } from '../progress/conditions-list.js';
import { chartAddress, HistorySection } from '../progress/history-section.js';
import {
  Bar,
  ControlText,
  CutOverText,
  ForecastText,
  LoadedItems,
  RowsText,
  StatusBadge,
} from '../progress/progress-parts.js';
import type { OneProgress, SupplierProgress } from '../progress/progress.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import { NextStepsText } from './next-step-text.js';

/** The progress of a migration, its conditions, and the reasons of a pause or an undo. Each number links to its list. */
export function supplierPage(
  user: SignedInUser,
  { progress, history }: OneProgress,
  reasons: readonly TimelineEvent[],
): Page {
  const { supplier, totals, forecast } = progress;
  const address = ADDRESSES.supplier(supplier.code);
  return {
    title: supplier.name,
    ...ofSupplier(supplier, 'summary'),
    body: (
      <UpdatingPart id="progress" address={chartAddress(address, history.span)} everySeconds={10}>
        <p class="facts">
          <span class="code">{supplier.code}</span> <StatusBadge status={supplier.status} />{' '}
          {!supplier.archivedAt && <StandingBadge standing={progress.standing} />}{' '}
          {supplier.archivedAt && <span class="badge">archived</span>}{' '}
          <span class="muted as-of">
            As of <DateTime at={totals.asOf} relative />
          </span>
        </p>
        <NextStepsText user={user} progress={progress} />
        <Section id="attention" title="Needs attention">
          <ConditionsList code={supplier.code} conditions={progress.conditions} />
          {reasons.length > 0 && <Timeline events={reasons} relative />}
        </Section>
        <div class="summary">
          <Section id="accounts" title="Accounts">
            <Accounts code={supplier.code} accounts={totals.accounts} />
            <ForecastText forecast={forecast} />
            <LoadedAccounts progress={progress} />
          </Section>
          <Section id="items" title="Rows loaded">
            <RowsText rows={progress.rows} />
            <CutOverText progress={progress} />
            <LoadedItems progress={progress} />
            <LastRequest progress={progress} />
          </Section>
          <Section id="control" title="Control totals">
            {totals.control.with === 0 ? (
              <NoControlTotals user={user} />
            ) : (
              <ControlText code={supplier.code} control={totals.control} />
            )}
          </Section>
        </div>
        <HistorySection history={history} address={address} />
      </UpdatingPart>
    ),
  };
}

/** The states of accounts, in their order on the page. */
const STATES = ['imported', 'in_progress', 'pending', 'failed'] as const;

/** The accounts by state, and the share of those that are imported. */
function Accounts({ code, accounts }: Pick<SupplierTotals, 'accounts'> & { code: string }): VNode {
  const all = STATES.reduce((sum, state) => sum + accounts[state], 0);
  return (
    <>
      <Bar part={accounts.imported} whole={all} what="accounts are imported" />
      <ul class="legend">
        {STATES.map((state) => (
          <li key={state}>
            <a class={`badge badge-${state}`} href={ADDRESSES.accounts(code, { state })}>
              {STATE_NAMES[state]}
            </a>{' '}
            <strong>{formatCount(accounts[state])}</strong>
            {state === 'imported' && all > 0 && (
              <span class="muted"> {formatShare(accounts.imported, all)}</span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function NoControlTotals({ user }: { user: SignedInUser }): VNode {
  return (
    <p class="empty">
      No control totals are set.{' '}
      {user.kind !== 'admin' ? (
        <>
          The supplier gives them with the staged accounts, or <code>data-import accounts set-controls</code>{' '}
          sets them later.
        </>
      ) : (
        'Give them to the operators of the platform with your accounts.'
      )}
    </p>
  );
}

function LastRequest({ progress: { supplier, totals } }: { progress: SupplierProgress }): VNode {
  const { requests, lastRequestAt } = totals;
  if (!lastRequestAt)
    return (
      <p class="empty">
        Nothing was loaded yet.
        {supplier.status === 'ongoing' && ' Requests can be sent for accounts that are imported.'}
      </p>
    );
  return (
    <p class="muted">
      {formatCount(requests)} import {requests === 1 ? 'request' : 'requests'} stored something, the last one
      at <DateTime at={lastRequestAt} />.
    </p>
  );
}

/** The accounts with an import request, and the imported ones without. */
function LoadedAccounts({ progress: { supplier, totals } }: { progress: SupplierProgress }): VNode {
  const { accounts, loadedAccounts } = totals;
  const linkTo = (load: 'some' | 'none', count: number): VNode => (
    <strong>
      <a href={ADDRESSES.accounts(supplier.code, { load })}>{formatCount(count)}</a>
    </strong>
  );
  return (
    <p>
      With at least one import {linkTo('some', loadedAccounts)}, imported without one{' '}
      {linkTo('none', Math.max(accounts.imported - loadedAccounts, 0))}
    </p>
  );
}
