import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { durationText } from '../../../infrastructure/clock/duration.js';
import { DateTime, Day } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Details } from '../layout/pairs.js';
import { StatusBadge } from '../progress/progress-parts.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { ReadersSection } from './readers-section.js';
import { StatusForms } from './status-forms.js';
import { OrganisationsSection } from './supplier-records.js';
import type { SupplierSettings } from './supplier.types.js';

/** The address of a supplier's settings after a form has set its status. */
export function changedAddress(code: string, status: string): string {
  return ADDRESSES.settings(code, { changed: status });
}

export function settingsPage({ user, supplier, query, organisations, readers }: SupplierSettings): Page {
  return {
    title: 'Settings',
    ...ofSupplier(supplier, 'settings'),
    body: (
      <>
        {query.changed === supplier.status && (
          <p class="notice" role="status">{`The supplier is ${supplier.status} now.`}</p>
        )}
        <Values supplier={supplier} />
        {user.kind === 'operator' && <StatusForms supplier={supplier} />}
        <OrganisationsSection organisations={organisations} />
        {readers && <ReadersSection readers={readers} />}
      </>
    ),
  };
}

function Values({ supplier }: { supplier: ViewedSupplier }): VNode {
  const { code, status, documentRoot, documentCheck, customerEmails, cutOver, quietAfter, createdAt } =
    supplier;
  return (
    <Details
      pairs={[
        ['Code', <span class="code">{code}</span>],
        ['Status', <StatusBadge status={status} />],
        ['Document root', <code>{documentRoot}</code>],
        [
          'Document check',
          documentCheck === 'reject'
            ? 'reject: a request with a missing document is rejected'
            : 'deferred: documents are looked up later',
        ],
        ['Customer e-mails', customerEmails ? 'on' : 'off'],
        ['Cut-over', cutOver === null ? 'no day' : <Day day={cutOver} />],
        ['Quiet after', quietAfter === null ? 'off' : durationText(quietAfter)],
        ['Created', <DateTime at={createdAt} />],
      ]}
    />
  );
}
