import type { ComponentChildren, VNode } from 'preact';
import type { SupplierStatus } from '../../import-suppliers/import-supplier.entity.js';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import { Section } from '../layout/section.js';
import { ArchiveForm } from './archive-form.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** The forms by which an operator changes the status. */
export function StatusForms({ supplier }: { supplier: ViewedSupplier }): VNode {
  const { code, status } = supplier;
  return (
    <Section id="status" title="Change the status">
      <div class="cards">
        {status === 'ongoing' && (
          <StatusForm code={code} to="paused" button="Pause">
            <p>
              While it is paused, accounts are neither staged nor imported, and import requests are rejected.
            </p>
          </StatusForm>
        )}
        {status !== 'ongoing' && (
          <StatusForm code={code} to="ongoing" button={status === 'paused' ? 'Resume' : 'Reopen'}>
            <p>Accounts can be staged and imported again, and import requests are accepted.</p>
          </StatusForm>
        )}
        {status === 'complete' && <ArchiveForm supplier={supplier} />}
        {status !== 'complete' && (
          <section class="card">
            <p>The migration ends: after that nothing can be staged, imported or loaded.</p>
            <a class="button danger" href={ADDRESSES.supplierCompletion(code)}>
              Complete …
            </a>
          </section>
        )}
      </div>
    </Section>
  );
}

interface StatusFormProperties {
  readonly code: string;
  readonly to: SupplierStatus;
  readonly button: string;
  readonly children: ComponentChildren;
}

function StatusForm({ code, to, button, children }: StatusFormProperties): VNode {
  return (
    <section class="card">
      <PostForm action={ADDRESSES.supplierStatus(code)}>
        <input type="hidden" name="status" value={to} />
        {children}
        <button>{button}</button>
      </PostForm>
    </section>
  );
}
