import type { ComponentChildren, VNode } from 'preact';
import { nextStep, type NextStep } from '../../../capabilities/conditions/next-step.js';
import { ADDRESSES } from '../common/addresses.js';
import { usePageContext } from '../layout/page-context.js';
import type { SupplierProgress } from '../progress/progress.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

/** The next step: for an operator with the command, for an admin with what the supplier can do. */
export function NextStepText({ user, progress }: { user: SignedInUser; progress: SupplierProgress }): VNode {
  const { hasDocs } = usePageContext();
  const { step, command, reason } = nextStep(progress);
  return (
    <p class="next-step">
      <strong>Next:</strong>{' '}
      {user.kind === 'admin' ? (
        adminTexts(progress.supplier.code, hasDocs)[step]
      ) : (
        <>
          {command !== null && (
            <>
              <code>data-import {command}</code>.{' '}
            </>
          )}
          {reason}
        </>
      )}
    </p>
  );
}

function adminTexts(code: string, hasDocs: boolean): Readonly<Record<NextStep['step'], ComponentChildren>> {
  return {
    none: 'nothing, the migration is complete.',
    stage: 'give the file of your accounts to the operators of the platform, who stage and import them.',
    resume:
      'wait. The operators of the platform have paused the migration, and requests are rejected until they resume it.',
    import:
      'the operators of the platform import what is pending. Rows can be sent for accounts that are imported.',
    wait: 'wait for the import of accounts. Rows can be sent for those that are imported.',
    retry: (
      <>
        correct the accounts that <a href={ADDRESSES.failures(code)}>failed</a>, and give them to the
        operators of the platform again.
      </>
    ),
    differing: (
      <>
        look at the accounts that <a href={ADDRESSES.differences(code)}>differ</a>. The operators of the
        platform can undo requests that were wrong.
      </>
    ),
    load: hasDocs ? (
      <>
        load the rows that are missing, from files with <a href={ADDRESSES.loader}>the loader</a>.
      </>
    ) : (
      'load the rows that are missing.'
    ),
    documents: (
      <>
        upload the <a href={ADDRESSES.documents(code)}>documents</a> that were not found.
      </>
    ),
    unknown:
      'it is not known whether rows are missing. Run verify of the loader, and tell the operators of the platform what must be there.',
    complete: 'nothing is missing. The operators of the platform complete the migration.',
  };
}
