import type { ComponentChildren, VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import { Section } from '../layout/section.js';
import type { ViewedSupplier } from '../signed-in/viewed-suppliers.types.js';

/** The forms with which an operator changes the status, and archives a complete supplier (choice S11). */
export function StatusForms({ supplier }: { supplier: ViewedSupplier }): VNode {
  const { code, status } = supplier;
  const isArchived = supplier.archivedAt !== null;
  return (
    <Section id="status" title="Change the status">
      <div class="cards">
        {status === 'ongoing' && (
          <OneValueForm action={ADDRESSES.supplierStatus(code)} name="status" value="paused" button="Pause">
            While it is paused, accounts are neither staged nor imported, and import requests are rejected.
          </OneValueForm>
        )}
        {status !== 'ongoing' && (
          <OneValueForm
            {...{ action: ADDRESSES.supplierStatus(code), name: 'status', value: 'ongoing' }}
            button={status === 'paused' ? 'Resume' : 'Reopen'}
          >
            Accounts can be staged and imported again, and import requests are accepted.
          </OneValueForm>
        )}
        {status === 'complete' && (
          <OneValueForm
            {...{
              action: ADDRESSES.supplierArchive(code),
              name: 'archived',
              value: isArchived ? 'no' : 'yes',
            }}
            button={isArchived ? 'Unarchive' : 'Archive'}
          >
            {isArchived
              ? 'The supplier is listed with the others again, and its alerts are shown.'
              : 'The supplier is removed from lists and alerts. Its data and its pages stay as they are.'}
          </OneValueForm>
        )}
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

interface OneValueFormProps {
  readonly action: string;
  readonly name: string;
  readonly value: string;
  readonly button: string;
  /** The effect of the button. */
  readonly children: ComponentChildren;
}

function OneValueForm({ action, name, value, button, children }: OneValueFormProps): VNode {
  return (
    <section class="card">
      <PostForm action={action}>
        <input type="hidden" {...{ name, value }} />
        <p>{children}</p>
        <button>{button}</button>
      </PostForm>
    </section>
  );
}
