import type { VNode } from 'preact';
import { Moment } from '../layout/date-time.js';
import { Table } from '../layout/table.js';
import type { ApiKeyOfSupplier, GrantedOrganisation, SupplierEvent } from './supplier.types.js';

/** Who may see the supplier, and with which keys. */
export function OrganisationsSection({
  organisations,
}: {
  organisations: readonly GrantedOrganisation[];
}): VNode {
  return (
    <section aria-labelledby="organisations-heading">
      <h2 id="organisations-heading">Organisations and keys</h2>
      {organisations.length === 0 && (
        <p class="empty">
          No organisation may send requests for this supplier. The command <code>supplier grant</code> lets
          one.
        </p>
      )}
      {organisations.map((organisation, index) => (
        <Organisation key={index} organisation={organisation} />
      ))}
    </section>
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
        Granted <Moment at={grantedAt} />
      </p>
      {name !== undefined && keys.length === 0 && <p class="empty">The organisation has no API key.</p>}
      {keys.length > 0 && (
        <Table caption={`API keys of ${name}`}>
          <thead>
            <tr>
              {['Label', 'State', 'Issued', 'Expires', 'Last used', 'Revoked'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {keys.map((key) => (
              <KeyRow key={key.id} apiKey={key} />
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}

function KeyRow({
  apiKey: { label, createdAt, expiresAt, revokedAt, lastUsedAt, isExpired },
}: {
  apiKey: ApiKeyOfSupplier;
}): VNode {
  const state = revokedAt ? 'revoked' : isExpired ? 'expired' : 'valid';
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>{state}</td>
      <td>
        <Moment at={createdAt} />
      </td>
      <td>{expiresAt ? <Moment at={expiresAt} /> : 'never'}</td>
      <td>{lastUsedAt ? <Moment at={lastUsedAt} /> : 'never'}</td>
      <td>{revokedAt ? <Moment at={revokedAt} /> : '–'}</td>
    </tr>
  );
}

/** What operators changed about the supplier, newest first. */
export function EventsSection({ events }: { events: readonly SupplierEvent[] }): VNode {
  return (
    <section aria-labelledby="events-heading">
      <h2 id="events-heading">History</h2>
      {events.length === 0 ? (
        <p class="empty">No change of this supplier is recorded.</p>
      ) : (
        <ol class="timeline">
          {events.map((event, index) => (
            <li key={index}>
              <Moment at={event.at} /> <EventText event={event} />{' '}
              <span class="muted">by {event.operator ?? 'the platform'}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
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
