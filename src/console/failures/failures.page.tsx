import type { VNode } from 'preact';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { formatCount } from '../common/format.js';
import type { Page } from '../layout/page.js';
import type { Failures, FailureGroup, Period, RefusalGroup, RefusedRequest } from './failures.types.js';
import {
  AccountLink,
  addressOf,
  counted,
  Extent,
  RefusalFacts,
  RefusalTitle,
  Remedy,
  RetryForm,
} from './group-parts.js';
import { ANOTHER_ORGANISATION } from './request-owners.js';

const PERIOD_TEXTS: Readonly<Record<Period, string>> = {
  hour: 'Last hour',
  day: 'Last day',
  '30-days': 'Last 30 days',
};

/** What fails of a supplier. */
export function failuresPage(failures: Failures): Page {
  const { supplier, retried } = failures;
  return {
    title: `What fails: ${supplier.name}`,
    place: 'overview',
    above: [
      { text: 'Overview', href: ADDRESSES.overview },
      { text: supplier.name, href: ADDRESSES.supplier(supplier.code) },
    ],
    body: (
      <>
        {retried !== undefined && (
          <p class="notice" role="status">
            {counted(retried, 'account is', 'accounts are')} pending again. <code>accounts import</code>{' '}
            imports what is pending.
          </p>
        )}
        <RefusedRequests failures={failures} />
        <FailedImports failures={failures} />
      </>
    ),
  };
}

function RefusedRequests({ failures }: { failures: Failures }): VNode {
  const { supplier, period, refusals } = failures;
  const { groups, count, groupCount } = refusals;
  return (
    <section aria-labelledby="refused">
      <h2 id="refused">Refused requests</h2>
      <nav class="pager periods" aria-label="Period">
        {Object.entries(PERIOD_TEXTS).map(([name, text]) => (
          <a
            key={name}
            href={withQuery(ADDRESSES.failures(supplier.code), { period: name })}
            aria-current={name === period ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
      {count === 0 ? (
        <p class="empty">
          No request was refused in this time. A request that is answered with 400 or 404 appears here within
          seconds.
        </p>
      ) : (
        <>
          <p>
            {counted(count, 'request')} with {counted(groupCount, 'cause')}, the commonest first.{' '}
            {groups.length < groupCount && `The first ${formatCount(groups.length)} causes are shown. `}
            <a href={addressOf.refusedCsv(supplier.code, period)}>All refused requests as CSV</a>
          </p>
          {groups.map((group) => (
            <Refusal key={group.cause} group={group} code={supplier.code} period={period} />
          ))}
        </>
      )}
    </section>
  );
}

function Refusal({ group, code, period }: { group: RefusalGroup; code: string; period: Period }): VNode {
  const { cause, values, samples } = group;
  return (
    <article class="card cause" aria-labelledby={`refusal${cause}`}>
      <h3 id={`refusal${cause}`}>
        <RefusalTitle group={group} />
      </h3>
      <RefusalFacts group={group} />
      <Remedy group={group} />
      <Extent group={group} what="Requests" />
      <div class="examples">
        {values.length > 0 && (
          <div>
            <h4>{values.length === 1 ? 'Refused value' : 'Commonest refused values'}</h4>
            <ul>
              {values.map(({ value, count }) => (
                <li key={value}>
                  <code class="value">{value}</code> <span class="muted">{counted(count, 'request')}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div>
          <h4>{samples.length === 1 ? 'Request' : 'Newest requests'}</h4>
          <ul>
            {samples.map((sample, index) => (
              <Sample key={index} sample={sample} code={code} />
            ))}
          </ul>
        </div>
      </div>
      <p class="actions">
        <a class="button plain" href={addressOf.refused(code, period, cause)}>
          Accounts
        </a>
        <a class="button plain" href={addressOf.refusedCsv(code, period, cause)}>
          CSV
        </a>
      </p>
    </article>
  );
}

function Sample({ sample, code }: { sample: RefusedRequest; code: string }): VNode {
  const { requestId, externalAccountNumber } = sample;
  return (
    <li>
      {requestId === undefined ? <span class="muted">{ANOTHER_ORGANISATION}</span> : <code>{requestId}</code>}
      {', account '}
      <AccountLink code={code} number={externalAccountNumber} />
    </li>
  );
}

function FailedImports({ failures }: { failures: Failures }): VNode {
  const { supplier, failedImports, mayRetry } = failures;
  const { groups, count, groupCount } = failedImports;
  return (
    <section aria-labelledby="failed">
      <h2 id="failed">Failed imports</h2>
      {count === 0 ? (
        <p class="empty">No account is failed. An account whose import fails appears here at once.</p>
      ) : (
        <>
          <p>
            {counted(count, 'account is', 'accounts are')} failed now, with {counted(groupCount, 'cause')},
            the commonest first.{' '}
            {groups.length < groupCount && `The first ${formatCount(groups.length)} causes are shown. `}
            Correct the data and stage it again, or put an account back to pending: then the next import tries
            it once more. <a href={addressOf.failedCsv(supplier.code)}>All failed accounts as CSV</a>
          </p>
          {groups.map((group, index) => (
            <Failure key={group.cause} {...{ group, index, mayRetry }} code={supplier.code} />
          ))}
        </>
      )}
    </section>
  );
}

interface FailureProps {
  readonly group: FailureGroup;
  readonly index: number;
  readonly code: string;
  readonly mayRetry: boolean;
}

function Failure({ group, index, code, mayRetry }: FailureProps): VNode {
  const { cause, count, samples } = group;
  return (
    <article class="card cause" aria-labelledby={`failure-${index}`}>
      <h3 id={`failure-${index}`}>{cause}</h3>
      <Extent group={group} what="Accounts" />
      <div class="examples">
        <div>
          <h4>{samples.length < count ? 'Some of the accounts' : 'Accounts'}</h4>
          <ul>
            {samples.map((number) => (
              <li key={number}>
                <AccountLink code={code} number={number} />
              </li>
            ))}
          </ul>
        </div>
      </div>
      <div class="actions">
        <a class="button plain" href={addressOf.failed(code, cause)}>
          Accounts
        </a>
        <a class="button plain" href={addressOf.failedCsv(code, cause)}>
          CSV
        </a>
        {mayRetry && (
          <RetryForm code={code} cause={cause}>
            <button>Put {counted(count, 'account')} back to pending</button>
          </RetryForm>
        )}
      </div>
    </article>
  );
}
