import type { VNode } from 'preact';
import type { FeedReader } from '../../../capabilities/feed/readers.types.js';
import { formatCount, formatDuration } from '../common/format.js';
import { durationText } from '../../../infrastructure/clock/duration.js';
import { DateTime, Day } from '../layout/date-time.js';
import { ofSupplier, type Page } from '../layout/page.js';
import { Details } from '../layout/pairs.js';
import { Section } from '../layout/section.js';
import { Table } from '../layout/table.js';
import { StatusBadge } from '../progress/progress-parts.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';
import { StatusForms } from './status-forms.js';
import type { GrantedOrganisation, SupplierSettings } from './settings.service.js';

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

/** The organisations that may see the supplier, and their keys. */
function OrganisationsSection({ organisations }: { organisations: readonly GrantedOrganisation[] }): VNode {
  return (
    <Section id="organisations" title="Organisations and keys">
      {organisations.length === 0 && (
        <p class="empty">
          No organisation may send requests for this supplier. The command{' '}
          <code>data-import supplier grant</code> gives one access.
        </p>
      )}
      {organisations.map((organisation, index) => (
        <Organisation key={index} {...organisation} />
      ))}
    </Section>
  );
}

function Organisation({ name, grantedAt, keys }: GrantedOrganisation): VNode {
  return (
    <>
      <h3>{name ?? 'Another organisation'}</h3>
      <p class="muted">
        Access granted <DateTime at={grantedAt} />
      </p>
      {name !== undefined && keys.length === 0 && <p class="empty">The organisation has no API key.</p>}
      {keys.length > 0 && (
        <Table
          caption={`API keys of ${name}`}
          rows={keys}
          columns={[
            { head: 'Label', kind: 'row', cell: ({ label }) => label },
            {
              head: 'State',
              cell: ({ revokedAt, isExpired }) => (revokedAt ? 'revoked' : isExpired ? 'expired' : 'valid'),
            },
            { head: 'Issued', cell: ({ createdAt }) => <DateTime at={createdAt} /> },
            { head: 'Expires', cell: ({ expiresAt }) => <DateTime at={expiresAt} none="never" /> },
            {
              head: 'Last used by tools',
              cell: ({ lastUsedAt }) => <DateTime at={lastUsedAt} none="never" relative />,
            },
            {
              head: 'Last sign-in',
              cell: ({ lastSignedInAt }) => <DateTime at={lastSignedInAt} none="never" relative />,
            },
            { head: 'Revoked', cell: ({ revokedAt }) => <DateTime at={revokedAt} none="–" /> },
          ]}
        />
      )}
    </>
  );
}

/** The named readers of a supplier's feed, for operators (choice E6). */
function ReadersSection({ readers }: { readers: readonly FeedReader[] }): VNode {
  return (
    <Section id="readers" title="Readers of the feed">
      {readers.length === 0 ? (
        <p class="empty">No named reader has read the changes of this supplier.</p>
      ) : (
        <Table
          caption="Programs of the platform and their progress"
          rows={readers}
          columns={[
            { head: 'Reader', cell: ({ name }) => name },
            { head: 'Platform key', cell: ({ platformKeyId }) => <code>{platformKeyId}</code> },
            { head: 'Processed up to', kind: 'number', cell: ({ sequence }) => formatCount(sequence) },
            { head: 'Changes behind', kind: 'number', cell: ({ lagChanges }) => formatCount(lagChanges) },
            {
              head: 'Behind for',
              cell: ({ lagChanges, lagSeconds }) =>
                lagChanges === 0 ? '–' : formatDuration(lagSeconds * 1_000),
            },
            { head: 'Last request', cell: ({ askedAt }) => <DateTime at={askedAt} /> },
          ]}
        />
      )}
    </Section>
  );
}
