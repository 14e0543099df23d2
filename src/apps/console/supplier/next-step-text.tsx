import type { ComponentChildren, VNode } from 'preact';
import { shellWord } from '../../../infrastructure/text/shell-word.js';
import { ADDRESSES } from '../common/addresses.js';
import { usePageContext } from '../layout/page-context.js';
import type { SupplierProgress } from '../progress/progress.types.js';
import type { SignedInUser } from '../signed-in/signed-in-user.js';
import { nextStep, type NextStep } from './next-step.js';

/** The next step: for an operator with the command, for an admin with what the supplier can do. */
export function NextStepText({ user, progress }: { user: SignedInUser; progress: SupplierProgress }): VNode {
  const { hasDocs } = usePageContext();
  const { code } = progress.supplier;
  const texts = user.kind === 'operator' ? operatorTexts(code) : adminTexts(code, hasDocs);
  return (
    <p class="next-step">
      <strong>Next:</strong> {texts[nextStep(progress)]}
    </p>
  );
}

type Texts = Readonly<Record<NextStep, ComponentChildren>>;

function operatorTexts(code: string): Texts {
  return {
    none: 'nothing, the migration is complete.',
    stage: (
      <>
        stage the accounts of the supplier with <code>data-import accounts stage {shellWord(code)} FILE</code>
        .
      </>
    ),
    resume: (
      <>
        resume it in the <a href={ADDRESSES.settings(code)}>settings</a>, or with{' '}
        <code>data-import supplier set {shellWord(code)} --status ongoing</code>. Until then nothing is
        imported or loaded.
      </>
    ),
    import: (
      <>
        import what is pending with <code>data-import accounts import {shellWord(code)}</code>.
      </>
    ),
    wait: 'wait for the import of accounts.',
    failed: (
      <>
        correct the accounts that <a href={ADDRESSES.failures(code)}>failed</a>, stage them again, and import
        them with <code>data-import accounts import {shellWord(code)}</code>.
      </>
    ),
    differing: (
      <>
        look at the accounts that <a href={ADDRESSES.differences(code)}>differ</a>, and count their rows with{' '}
        <code>data-import migration differences {shellWord(code)}</code>.
      </>
    ),
    load: (
      <>
        the supplier loads what is missing; <code>data-import migration status {shellWord(code)}</code> shows
        the progress.
      </>
    ),
    complete: (
      <>
        <a href={ADDRESSES.supplierCompletion(code)}>complete it</a>, or with{' '}
        <code>data-import migration complete {shellWord(code)}</code>.
      </>
    ),
  };
}

function adminTexts(code: string, hasDocs: boolean): Texts {
  return {
    none: 'nothing, the migration is complete.',
    stage: 'give the file of your accounts to the operators of the platform, who stage and import them.',
    resume:
      'wait. The operators of the platform have paused the migration, and requests are rejected until they resume it.',
    import:
      'the operators of the platform import what is pending. Rows can be sent for accounts that are imported.',
    wait: 'wait for the import of accounts. Rows can be sent for those that are imported.',
    failed: (
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
    complete: 'nothing is missing. The operators of the platform complete the migration.',
  };
}
