import type { VNode } from 'preact';
import { ADDRESSES } from '../common/addresses.js';
import { PostForm } from '../layout/form.js';
import type { ViewedSupplier } from '../viewers/viewed-suppliers.types.js';

/** The form by which an operator archives a supplier that is complete, or shows an archived one again (choice S11). */
export function ArchiveForm({ supplier: { code, archivedAt } }: { supplier: ViewedSupplier }): VNode {
  const isArchived = archivedAt !== null;
  return (
    <section class="card">
      <PostForm action={ADDRESSES.supplierArchive(code)}>
        <input type="hidden" name="archived" value={isArchived ? 'no' : 'yes'} />
        <p>
          {isArchived
            ? 'The supplier is listed with the others again, and its alerts are shown.'
            : 'The supplier is removed from lists and alerts. Its data and its pages stay as they are.'}
        </p>
        <button>{isArchived ? 'Unarchive' : 'Archive'}</button>
      </PostForm>
    </section>
  );
}
