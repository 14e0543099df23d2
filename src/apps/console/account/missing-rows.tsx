import type { VNode } from 'preact';
import { ITEMS } from '../../../ingest/kinds/items.js';
import { counted, formatCount } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { usePageContext } from '../layout/page-context.js';
import { ErrorName, FirstFault, Remedy } from '../layout/refusal.js';
import { RequestLink } from '../layout/request-link.js';
import type { AccountPageView } from './account.types.js';
import type { MissingRows } from './missing.js';

/** The rows that are missing from the account, the reason and time, and the next step with the party that takes it. */
export function Missing({ view: { missing, summary } }: { view: AccountPageView }): VNode | null {
  if (missing.length === 0) return null;
  const neverSent = missing.filter(({ refused }) => !refused);
  return (
    <div class="notice notice-warning" id="missing">
      {missing.map(
        (rows) =>
          rows.refused && (
            <p>
              <strong>
                {missingText(rows)}
                {rows.count && ' are missing'}
              </strong>
              <Refused {...rows.refused} />
            </p>
          ),
      )}
      {neverSent.length > 0 && (
        <p>
          <strong>{new Intl.ListFormat('en').format(neverSent.map(missingText))} are missing</strong>
          <NeverSent since={summary.accountCreatedAt ?? null} />
        </p>
      )}
    </div>
  );
}

/** `1 of 2 notes` */
function missingText({ name, count }: MissingRows): string {
  const label = ITEMS[name].label.toLowerCase();
  if (!count) return `No ${label} are stored, and nobody said how many there must be`;
  return `${formatCount(count.missing)} of ${formatCount(count.expected)} ${label}`;
}

function Refused({ request, requests }: NonNullable<MissingRows['refused']>): VNode {
  const { details, at } = request;
  if (!details)
    return (
      <>
        : another organisation’s request was rejected, the last one at <DateTime at={at} />.
      </>
    );
  const { fieldCode, code, attr, requestId, items } = details;
  return (
    <>
      : {counted(requests, 'request was', 'requests were')} rejected, the last one at <DateTime at={at} />{' '}
      because of <ErrorName code={fieldCode ?? code} field={attr} /> (<RequestLink id={requestId} />
      {items && <FirstFault kind={request.kind} items={items} />}
      ). <Whose /> corrects this and sends the rows again:{' '}
      <Remedy refusal={details} kind={request.kind} field={attr} />
    </>
  );
}

function NeverSent({ since }: { since: Date | null }): VNode {
  return (
    <>
      : none of its newest requests with them was rejected, so they were probably never sent
      {since && (
        <>
          {' '}
          since the account was imported at <DateTime at={since} />
        </>
      )}
      . <Whose /> runs <code>data-import-loader verify</code>, and loads what it names.
    </>
  );
}

/** The party that sends the missing rows. */
function Whose(): VNode {
  return <>{usePageContext().user?.kind === 'admin' ? 'Your organisation' : 'The supplier'}</>;
}
