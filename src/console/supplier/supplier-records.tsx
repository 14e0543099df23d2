import type { VNode } from 'preact';
import { DateTime } from '../layout/date-time.js';
import { Section } from '../layout/section.js';
import { Table } from '../layout/table.js';
import type { GrantedOrganisation, SupplierEvent } from './supplier.types.js';

/** Who may see the supplier, and with which keys. */
export function OrganisationsSection({
  organisations,
}: {
  organisations: readonly GrantedOrganisation[];
}): VNode {
  return (
    <Section id="organisations" title="Organisations and keys">
      {organisations.length === 0 && (
        <p class="empty">
          No organisation may send requests for this supplier. The command <code>supplier grant</code> lets
          one.
        </p>
      )}
      {organisations.map((organisation, index) => (
        <Organisation key={index} organisation={organisation} />
      ))}
    </Section>
  );
}

function Organisation({
  organisation: { name, grantedAt, keys },
}: {
  organisation: GrantedOrganisation;
}): VNode {
  return (
    <>
      <h3>{name ?? 'Another organisation'}</h3>
      <p class="muted">
        Granted <DateTime at={grantedAt} />
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
            { head: 'Expires', cell: ({ expiresAt }) => (expiresAt ? <DateTime at={expiresAt} /> : 'never') },
            {
              head: 'Last used',
              cell: ({ lastUsedAt }) => (lastUsedAt ? <DateTime at={lastUsedAt} /> : 'never'),
            },
            { head: 'Revoked', cell: ({ revokedAt }) => (revokedAt ? <DateTime at={revokedAt} /> : '–') },
          ]}
        />
      )}
    </>
  );
}

/** What operators changed about the supplier, newest first. */
export function EventsSection({ events }: { events: readonly SupplierEvent[] }): VNode {
  return (
    <Section id="events" title="History">
      {events.length === 0 ? (
        <p class="empty">No change of this supplier is recorded.</p>
      ) : (
        <ol class="timeline">
          {events.map((event, index) => (
            <li key={index}>
              <DateTime at={event.at} /> <EventText event={event} />{' '}
              <span class="muted">by {event.operator ?? 'the platform'}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  status: 'Status',
  document_root: 'Document root',
  document_check: 'Document check',
  customer_emails: 'Customer e-mails',
};

function EventText({ event: { action, changes, phase, organisation } }: { event: SupplierEvent }): VNode {
  switch (action) {
    case 'supplier.create':
      return <>Created</>;
    case 'supplier.erase':
      return <>Erasure of everything that was imported {phase}</>;
    case 'supplier.undo_imports':
      return <>Undoing of import requests {phase}</>;
    case 'supplier.grant':
      return <>Granted to {organisation}</>;
    case 'supplier.revoke':
      return <>Grant of {organisation} revoked</>;
    default:
      return <>{changes.map(({ name, from, to }) => `${NAMES[name] ?? name}: ${from} → ${to}`).join(', ')}</>;
  }
}
