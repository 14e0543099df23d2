import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { formatCount, formatShare } from '../common/format.js';
import { Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { Page } from '../layout/page.js';
import { AccountsBar } from '../progress/accounts-bar.js';
import { AttentionList } from '../progress/attention-list.js';
import { HistorySection, spanAddress } from '../progress/history-section.js';
import {
  boundedText,
  ControlText,
  ForecastText,
  LoadedItems,
  StatusBadge,
} from '../progress/progress-parts.js';
import type { SupplierProgress } from '../progress/progress.types.js';
import { EventsSection, OrganisationsSection } from './supplier-records.js';
import { StatusForms } from './status-forms.js';
import type { SupplierDetails } from './supplier.types.js';

/** The page of a supplier after a form has set its status. */
export function changedAddress(code: string, status: string): string {
  return withQuery(ADDRESSES.supplier(code), { changed: status });
}

/** @param changed status that a form has just set; it is said only while it is still the status */
export function supplierPage(details: SupplierDetails, changed: unknown): Page {
  const { supplier } = details.progress;
  return {
    title: supplier.name,
    above: [{ text: 'Overview', href: ADDRESSES.overview }],
    body: (
      <>
        {changed === supplier.status && (
          <p class="notice" role="status">{`The supplier is ${supplier.status} now.`}</p>
        )}
        <Progress details={details} />
        {details.viewer === 'operator' && <StatusForms supplier={supplier} />}
        <Settings supplier={supplier} />
        <OrganisationsSection organisations={details.organisations} />
        <EventsSection events={details.events} />
        <DocumentsSection details={details} />
      </>
    ),
  };
}

/** The part that is changing. */
function Progress({ details }: { details: SupplierDetails }): VNode {
  const { progress, history, now, attention } = details;
  const { supplier, totals, forecast } = progress;
  const address = ADDRESSES.supplier(supplier.code);
  return (
    <div
      id="progress"
      hx-get={spanAddress(address, history.span)}
      hx-trigger="every 10s"
      hx-select="#progress"
      hx-swap="outerMorph"
    >
      <p class="facts">
        <span class="code">{supplier.code}</span> <StatusBadge status={supplier.status} />{' '}
        <span class="muted as-of">
          As of <Moment at={totals.asOf} />
        </span>
      </p>
      <nav aria-label="Supplier">
        <ul class="links">
          <li>
            <a href={ADDRESSES.failures(supplier.code)}>What fails</a>
          </li>
          <li>
            <a href={withQuery(ADDRESSES.requests, { supplier: supplier.code })}>Requests</a>
          </li>
        </ul>
      </nav>
      <section aria-labelledby="attention-heading">
        <h2 id="attention-heading">What needs somebody</h2>
        <AttentionList attention={attention} />
      </section>
      <section aria-labelledby="accounts-heading">
        <h2 id="accounts-heading">Accounts</h2>
        <AccountsBar accounts={totals.accounts} />
        <ForecastText forecast={forecast} now={now} />
        <Funnel progress={progress} />
      </section>
      <section aria-labelledby="items-heading">
        <h2 id="items-heading">Items loaded</h2>
        <LoadedItems totals={totals} />
        <LastRequest totals={totals} />
      </section>
      <section aria-labelledby="control-heading">
        <h2 id="control-heading">Control totals</h2>
        {totals.control.with === 0 ? (
          <p class="empty">
            Nothing is known of what the accounts must hold. The supplier gives it with the staged accounts,
            or the command <code>accounts set-controls</code> sets it later.
          </p>
        ) : (
          <ControlText code={supplier.code} control={totals.control} />
        )}
      </section>
      <HistorySection history={history} address={address} />
    </div>
  );
}

function LastRequest({ totals: { requests, lastRequestAt } }: Pick<SupplierProgress, 'totals'>): VNode {
  if (!lastRequestAt)
    return <p class="empty">Nothing was loaded yet. Requests can be sent for accounts that are imported.</p>;
  return (
    <p class="muted">
      {formatCount(requests)} import {requests === 1 ? 'request' : 'requests'} stored something, the last one
      at <Moment at={lastRequestAt} />.
    </p>
  );
}

/** Staged, imported, and with anything loaded: each is a part of the one before. */
function Funnel({ progress: { totals } }: { progress: SupplierProgress }): VNode {
  const { pending, in_progress, imported, failed } = totals.accounts;
  const staged = pending + in_progress + imported + failed;
  const { loadedAccounts } = totals;
  const steps = [
    { name: 'Staged', count: staged },
    { name: 'Imported', count: imported },
    { name: 'Loaded', count: loadedAccounts },
  ];
  return (
    <>
      <ol class="funnel">
        {steps.map(({ name, count }) => (
          <li key={name}>
            <span class="funnel-name">{name}</span> <strong>{formatCount(count)}</strong>{' '}
            <span class="muted">{formatShare(count, staged)}</span>
            <svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
              <rect class="bar-empty" width="1000" height="10" />
              <rect class="key-imported" width={shareOf(count, staged)} height="10" />
            </svg>
          </li>
        ))}
      </ol>
      <p>
        Imported accounts without any load:{' '}
        <strong>{formatCount(Math.max(imported - loadedAccounts, 0))}</strong>
      </p>
    </>
  );
}

/** In thousandths; a part that is not empty can be seen. */
function shareOf(part: number, whole: number): number {
  return whole <= 0 || part <= 0 ? 0 : Math.min(1_000, Math.max(6, Math.round((part / whole) * 1_000)));
}

function Settings({ supplier }: Pick<SupplierProgress, 'supplier'>): VNode {
  const { documentRoot, documentCheck, customerEmails, createdAt } = supplier;
  return (
    <section aria-labelledby="settings-heading">
      <h2 id="settings-heading">Settings</h2>
      <dl class="settings">
        <dt>Document root</dt>
        <dd>
          <code>{documentRoot}</code>
        </dd>
        <dt>Document check</dt>
        <dd>
          {documentCheck === 'reject'
            ? 'reject: a request with a missing document is refused'
            : 'deferred: documents are looked up later'}
        </dd>
        <dt>Customer e-mails</dt>
        <dd>{customerEmails ? 'on' : 'off'}</dd>
        <dt>Created</dt>
        <dd>
          <Moment at={createdAt} />
        </dd>
      </dl>
    </section>
  );
}

function DocumentsSection({ details }: { details: SupplierDetails }): VNode {
  const { documentsNotSeen, documents, progress } = details;
  const { code } = progress.supplier;
  return (
    <section id="documents" aria-labelledby="documents-heading">
      <h2 id="documents-heading">Documents not seen</h2>
      {documentsNotSeen.count === 0 ? (
        <p class="empty">Every document that notes and statements name was seen in the document store.</p>
      ) : (
        <>
          <p>
            <strong>{boundedText(documentsNotSeen)}</strong>
            {documentsNotSeen.count === 1 && !documentsNotSeen.isMore
              ? ' document was'
              : ' documents were'}{' '}
            not looked up yet, or not found by the last look-up. The command <code>documents check</code>{' '}
            looks them up.
          </p>
          <Table caption={documents.length === 1 ? 'The document' : `The first ${documents.length}`}>
            <thead>
              <tr>
                <th scope="col">Kind</th>
                <th scope="col">Account</th>
                <th scope="col">Path</th>
              </tr>
            </thead>
            <tbody>
              {documents.map(({ kind, externalAccountNumber: number, path }, index) => (
                <tr key={index}>
                  <td>{kind}</td>
                  <td>
                    <a href={ADDRESSES.account(code, number)}>{number}</a>
                  </td>
                  <td class="path">{path}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </section>
  );
}
