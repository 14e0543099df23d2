import type { VNode } from 'preact';
import type { FeedReader } from '../../../capabilities/feed/readers.types.js';
import { formatCount, formatDuration } from '../common/format.js';
import { DateTime } from '../layout/date-time.js';
import { Section } from '../layout/section.js';
import { Table } from '../layout/table.js';

/** The named readers of a supplier's feed, for operators (choice E6). */
export function ReadersSection({ readers }: { readers: readonly FeedReader[] }): VNode {
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
