import type { VNode } from 'preact';
import { PAYMENT_INSTRUCTION } from '../../items/payment-instruction.item.js';
import { DateTime } from '../layout/date-time.js';
import { Details } from '../layout/pairs.js';
import type { AccountPageView, ViewedInstruction } from './account.types.js';
import type { ListPage } from '../common/cursor.js';
import { Fields, ListPager } from './parts.js';

interface InstructionsProps {
  readonly view: AccountPageView;
  readonly page: ListPage<ViewedInstruction>;
}

export function Instructions({ view, page }: InstructionsProps): VNode {
  if (page.rows.length === 0 && !page.isContinued) {
    return (
      <p class="empty">No payment instructions yet. They appear here when the supplier has sent them.</p>
    );
  }
  return (
    <>
      {page.rows.map((instruction) => (
        <article class="instruction">
          <h3>
            {instruction.vendor} {instruction.type}
          </h3>
          <Fields kind={PAYMENT_INSTRUCTION} item={instruction} except={['vendor', 'type']} />
          <Details
            of={[
              ['Verified', <DateTime at={instruction.verified_at} />],
              ...Object.entries(instruction.details).map(
                ([name, value]) => [`Vendor: ${name.replaceAll('_', ' ')}`, shown(value)] as const,
              ),
            ]}
          />
        </article>
      ))}
      <ListPager view={view} list="instructions" page={page} of="payment instructions" />
    </>
  );
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
