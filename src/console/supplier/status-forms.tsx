import type { ComponentChildren, VNode } from 'preact';
import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import { Section } from '../layout/section.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';
import { CONFIRMED_FIELD } from './status-form.js';

/** The forms by which an operator changes the status. */
export function StatusForms({ supplier: { code, status } }: { supplier: ViewedSupplier }): VNode {
  return (
    <Section id="status" title="Change the status">
      <div class="cards">
        {status === 'ongoing' && (
          <StatusForm code={code} to="paused" button="Pause">
            <p>
              While it is paused, accounts are neither staged nor imported, and import requests are refused.
            </p>
          </StatusForm>
        )}
        {status !== 'ongoing' && (
          <StatusForm code={code} to="ongoing" button={status === 'paused' ? 'Resume' : 'Reopen'}>
            <p>Accounts can be staged and imported again, and import requests are accepted.</p>
          </StatusForm>
        )}
        {status !== 'complete' && (
          <StatusForm code={code} to="complete" button="Complete" isDanger>
            <p>The migration is over: nothing can be staged, imported or loaded any more.</p>
            <p>
              <label>
                <input type="checkbox" name={CONFIRMED_FIELD} value="yes" required /> Yes, the migration is
                complete
              </label>
            </p>
          </StatusForm>
        )}
      </div>
    </Section>
  );
}

interface StatusFormProperties {
  readonly code: string;
  readonly to: SupplierStatus;
  readonly button: string;
  readonly isDanger?: boolean;
  readonly children: ComponentChildren;
}

function StatusForm({ code, to, button, isDanger = false, children }: StatusFormProperties): VNode {
  return (
    <section class="card">
      <PostForm action={ADDRESSES.supplierStatus(code)}>
        <input type="hidden" name="status" value={to} />
        {children}
        <button class={isDanger ? 'danger' : undefined}>{button}</button>
      </PostForm>
    </section>
  );
}
