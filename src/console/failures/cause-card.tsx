import type { ComponentChildren, VNode } from 'preact';
import { REMEDIES } from '../../common/remedies.js';
import type { ImportKind } from '../../items/items.js';
import { ADDRESSES, withQuery } from '../common/addresses.js';
import { RequestLink } from '../layout/request-link.js';
import { counted, formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { PostForm } from '../layout/form.js';
import { Statistics } from '../layout/pairs.js';
import type { Cause, Period, Source } from './failures.types.js';

/** The endpoint of each kind of import request. */
export const ENDPOINTS: Readonly<Record<ImportKind, string>> = {
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
  payment_instruction: 'payment-instruction/create/',
};

interface CauseParameters {
  readonly period: Period;
  /** One cause; undefined for all. */
  readonly cause?: string | undefined;
  readonly from?: string | undefined;
}

/** The address of the accounts with failures of a cause. Only refusals are of a period. */
export function causeAddress(
  code: string,
  source: Source | `${Source}.csv`,
  { period, ...parameters }: CauseParameters,
): string {
  const ofPeriod = source.startsWith('refusals') ? period : undefined;
  return withQuery(`${ADDRESSES.failures(code)}/${source}`, { period: ofPeriod, ...parameters });
}

interface CauseCardProps {
  readonly cause: Cause;
  readonly source: Source;
  /** Of the supplier. */
  readonly code: string;
  readonly period: Period;
  readonly mayRetry: boolean;
  /** Whether it is at the top of the page of the accounts, which has no examples. */
  readonly isPage?: boolean;
  /** Tells the cause apart from the others of its page. */
  readonly index?: number;
}

/** A cause: what failed, how often, examples, and what can be done. */
export function CauseCard({
  cause,
  source,
  code,
  period,
  mayRetry,
  isPage = false,
  index = 0,
}: CauseCardProps): VNode {
  const { count, firstAt, lastAt } = cause;
  const [Card, Heading] = isPage ? (['section', 'h2'] as const) : (['article', 'h3'] as const);
  const id = `${source}-${index}`;
  return (
    <Card class="card cause" aria-labelledby={id}>
      <Heading id={id}>{cause.refusal ? <RefusalTitle {...cause.refusal} /> : cause.cause}</Heading>
      {cause.refusal && <RefusalFacts {...cause.refusal} />}
      <Statistics
        of={[
          [source === 'refusals' ? 'Requests' : 'Accounts', formatCount(count)],
          ['First', firstAt && <DateTime at={firstAt} />],
          ['Last', lastAt && <DateTime at={lastAt} />],
        ]}
      />
      {!isPage && <Examples cause={cause} code={code} />}
      <div class="actions">
        {!isPage && (
          <a class="button plain" href={causeAddress(code, source, { period, cause: cause.cause })}>
            Accounts
          </a>
        )}
        <a class="button plain" href={causeAddress(code, `${source}.csv`, { period, cause: cause.cause })}>
          CSV
        </a>
        {mayRetry && (
          <RetryForm code={code} cause={cause.cause}>
            <button>Retry {counted(count, 'account')}</button>
          </RetryForm>
        )}
      </div>
    </Card>
  );
}

type Refusal = NonNullable<Cause['refusal']>;

function RefusalTitle({ code, fieldCode, field }: Refusal): VNode {
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

/** Where the requests were sent, how they were answered, and what whoever sent them can do. */
function RefusalFacts({ kind, status, code, fieldCode, isDryRun }: Refusal): VNode {
  const remedies: Readonly<Record<string, string>> = REMEDIES;
  const remedy = (remedies[fieldCode ?? code] ?? '').split('`');
  return (
    <>
      <p class="facts">
        <code>{ENDPOINTS[kind]}</code>{' '}
        <span class="badge badge-refused">
          {status} {code}
        </span>{' '}
        {isDryRun && <span class="badge">dry run</span>}
      </p>
      <p>{remedy.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</p>
    </>
  );
}

function Examples({ cause, code }: { cause: Cause; code: string }): VNode {
  const { values, samples, count, refusal } = cause;
  const title = refusal
    ? samples.length === 1
      ? 'Request'
      : 'Newest requests'
    : samples.length < count
      ? 'Some of the accounts'
      : 'Accounts';
  return (
    <div class="examples">
      {values && values.length > 0 && (
        <div>
          <h4>{values.length === 1 ? 'Refused value' : 'Commonest refused values'}</h4>
          <ul>
            {values.map((refused) => (
              <li>
                <code class="value">{refused.value}</code>{' '}
                <span class="muted">{counted(refused.count, 'request')}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <h4>{title}</h4>
        <ul>
          {samples.map(({ requestId, externalAccountNumber, unknownField }) => (
            <li>
              {refusal && (
                <>
                  <RequestLink id={requestId} />
                  {', account '}
                </>
              )}
              <AccountLink code={code} number={externalAccountNumber} />
              {unknownField && (
                <>
                  {': '}
                  <code>{unknownField}</code>
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
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

interface RetryFormProps {
  readonly code: string;
  readonly cause?: string;
  readonly number?: string;
  readonly children: ComponentChildren;
}

/** Sets failed accounts back to pending: those of a cause, or one. */
export function RetryForm({ code, children, ...fields }: RetryFormProps): VNode {
  return (
    <PostForm action={ADDRESSES.retry(code)}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </PostForm>
  );
}
