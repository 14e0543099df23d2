import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount } from '../common/format.js';
import { Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { Link, Page } from '../layout/page.js';
import type {
  FailedAccount,
  FailedAccounts,
  NamedSupplier,
  RefusedAccount,
  RefusedAccounts,
} from './failures.types.js';
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

/** The accounts of a group of refused requests. */
export function refusedAccountsPage(view: RefusedAccounts): Page {
  const { supplier, period, group, accounts, next, isFirst } = view;
  const { code } = supplier;
  const { cause } = group;
  return {
    title: 'Accounts with one cause of refusal',
    place: 'overview',
    above: above(supplier),
    body: (
      <>
        <section class="card cause" aria-labelledby="cause">
          <h2 id="cause">
            <RefusalTitle group={group} />
          </h2>
          <RefusalFacts group={group} />
          <Remedy group={group} />
          <Extent group={group} what="Requests" />
          <p class="actions">
            <a class="button plain" href={addressOf.refusedCsv(code, period, cause)}>
              CSV
            </a>
          </p>
        </section>
        <RefusedTable accounts={accounts} code={code} />
        <Pager
          first={isFirst ? undefined : addressOf.refused(code, period, cause)}
          next={next === undefined ? undefined : addressOf.refused(code, period, cause, next)}
        />
      </>
    ),
  };
}

/** The accounts of a group of failed imports. */
export function failedAccountsPage(view: FailedAccounts): Page {
  const { supplier, group, accounts, next, isFirst, mayRetry } = view;
  const { code } = supplier;
  const { cause } = group;
  return {
    title: 'Accounts with one cause of failure',
    place: 'overview',
    above: above(supplier),
    body: (
      <>
        <section class="card cause" aria-labelledby="cause">
          <h2 id="cause">{cause}</h2>
          <Extent group={group} what="Accounts" />
          <div class="actions">
            <a class="button plain" href={addressOf.failedCsv(code, cause)}>
              CSV
            </a>
            {mayRetry && (
              <RetryForm code={code} cause={cause}>
                <button>Put {counted(group.count, 'account')} back to pending</button>
              </RetryForm>
            )}
          </div>
        </section>
        <FailedTable accounts={accounts} code={code} mayRetry={mayRetry} />
        <Pager
          first={isFirst ? undefined : addressOf.failed(code, cause)}
          next={next === undefined ? undefined : addressOf.failed(code, cause, next)}
        />
      </>
    ),
  };
}

interface TableProps<Account> {
  readonly accounts: readonly Account[];
  readonly code: string;
}

function RefusedTable({ accounts, code }: TableProps<RefusedAccount>): VNode {
  return (
    <Table caption="Accounts in the order of their numbers">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col" class="number">
            Requests
          </th>
          <th scope="col">First</th>
          <th scope="col">Last</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ externalAccountNumber, count, firstAt, lastAt }) => (
          <tr key={externalAccountNumber}>
            <th scope="row">
              <AccountLink code={code} number={externalAccountNumber} />
            </th>
            <td class="number">{formatCount(count)}</td>
            <td>
              <Moment at={firstAt} />
            </td>
            <td>
              <Moment at={lastAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function FailedTable({ accounts, code, mayRetry }: TableProps<FailedAccount> & { mayRetry: boolean }): VNode {
  return (
    <Table caption="Accounts in the order of their numbers">
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Failed</th>
          <th scope="col">Why</th>
          {mayRetry && <th scope="col">Action</th>}
        </tr>
      </thead>
      <tbody>
        {accounts.map(({ externalAccountNumber, failedAt, failure }) => (
          <tr key={externalAccountNumber}>
            <th scope="row">
              <AccountLink code={code} number={externalAccountNumber} />
            </th>
            <td>{failedAt && <Moment at={failedAt} />}</td>
            <td>{failure}</td>
            {mayRetry && (
              <td>
                <RetryForm code={code} number={externalAccountNumber}>
                  <button class="plain" aria-label={`Put ${externalAccountNumber} back to pending`}>
                    Put back
                  </button>
                </RetryForm>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function above({ code, name }: NamedSupplier): Link[] {
  return [
    { text: 'Overview', href: ADDRESSES.overview },
    { text: name, href: ADDRESSES.supplier(code) },
    { text: 'What fails', href: ADDRESSES.failures(code) },
  ];
}

function Pager({ first, next }: { first: string | undefined; next: string | undefined }): VNode | null {
  if (first === undefined && next === undefined) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {first !== undefined && <a href={first}>First page</a>}
      {next !== undefined && (
        <a href={next} rel="next">
          Next page
        </a>
      )}
    </nav>
  );
}
