import type { VNode } from 'preact';
import { PAYMENT_INSTRUCTION } from '../../../ingest/kinds/payment-instruction.item.js';
import { memberPairs } from '../common/recorded-values.js';
import { DateTime } from '../layout/date-time.js';
import { Details } from '../layout/pairs.js';
import type { ViewedInstruction } from './account.types.js';
import { Fields } from './parts.js';

export function Instruction({ instruction }: { instruction: ViewedInstruction }): VNode {
  return (
    <article class="instruction">
      <h3>
        {instruction.vendor} {instruction.type}
      </h3>
      <Fields kind={PAYMENT_INSTRUCTION} item={instruction} except={['vendor', 'type']} />
      <Details
        pairs={[
          ['Verified', <DateTime at={instruction.verified_at} />],
          ...memberPairs(instruction.details).map(
            ([name, value]) => [`Vendor: ${name.toLowerCase()}`, value] as const,
          ),
        ]}
      />
    </article>
  );
}
