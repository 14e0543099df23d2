import type { VNode } from 'preact';
import { nextSteps, type NextStep } from '../../../capabilities/conditions/next-step.js';
import { ADDRESSES } from '../common/addresses.js';
import type { SupplierProgress } from '../progress/progress.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';

const OF_PLATFORM = 'the operators of the platform';

/** The next step of an admin; the links are beside the conditions. */
const FOR_ADMINS: Readonly<Record<NextStep['step'], string>> = {
  none: 'nothing, the migration is complete.',
  stage: `give the file of your accounts to ${OF_PLATFORM}, who stage and import them.`,
  resume: `wait. Requests are rejected until ${OF_PLATFORM} resume the migration.`,
  import: 'wait for the import of accounts. Rows can be sent for those that are imported.',
  wait: 'wait for the import of accounts. Rows can be sent for those that are imported.',
  retry: `correct the accounts that failed, and give them to ${OF_PLATFORM} again.`,
  differing: `look at the accounts that differ. To undo requests that were wrong, ask ${OF_PLATFORM}.`,
  correct: 'correct the requests that were rejected, and send them again.',
  reload: 'load the rows of the import that was undone again.',
  load: 'load the rows that are missing, from files with the loader.',
  documents: 'upload the documents that were not found.',
  unknown: `run verify of the loader to see whether rows are missing, and tell ${OF_PLATFORM} what must be there.`,
  complete: `nothing is missing: ${OF_PLATFORM} complete the migration.`,
};

/** The next steps: for an operator with the command, for an admin with what the supplier can do. */
export function NextStepsText({ user, progress }: { user: SignedInUser; progress: SupplierProgress }): VNode {
  const isAdmin = user.kind === 'admin';
  const failures = ADDRESSES.failures(progress.supplier.code);
  return (
    <div class="next-step">
      {nextSteps(progress).map(({ step, command, reason }, index) => {
        const text = isAdmin ? FOR_ADMINS[step] : reason;
        return (
          <p>
            <strong>{index === 0 ? 'Next:' : 'Also:'}</strong>{' '}
            {!isAdmin && command !== null && (
              <>
                <code>data-import {command}</code>.{' '}
              </>
            )}
            {step === 'correct' ? <a href={failures}>{text}</a> : text}
          </p>
        );
      })}
    </div>
  );
}
