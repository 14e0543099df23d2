import type { VNode } from 'preact';
import { DateTime } from '../layout/date-time.js';
import { Section } from '../layout/section.js';
import { Table } from '../layout/table.js';
import type { GrantedOrganisation } from './supplier.types.js';

/** The organisations that may see the supplier, and their keys. */
export function OrganisationsSection({
  organisations,
}: {
  organisations: readonly GrantedOrganisation[];
}): VNode {
  return (
    <Section id="organisations" title="Organisations and keys">
      {organisations.length === 0 && (
        <p class="empty">
          No organisation may send requests for this supplier. The command{' '}
          <code>data-import supplier grant</code> gives one access.
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
