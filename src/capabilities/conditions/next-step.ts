import { shellWord } from '../../infrastructure/text/shell-word.js';
import type { Judged } from './conditions.js';
import type { SupplierFacts } from './facts.types.js';

type Step =
  | 'none'
  | 'stage'
  | 'resume'
  | 'wait'
  | 'import'
  | 'retry'
  | 'differing'
  | 'correct'
  | 'reload'
  | 'load'
  | 'unknown'
  | 'documents'
  | 'complete';

/** The next step of a migration. */
export interface NextStep {
  readonly step: Step;
  /** The words after `data-import`; null when the operator can only wait, or nothing is left to do. */
  readonly command: string | null;
  /** Sentences. */
  readonly reason: string;
}

type StepFacts = SupplierFacts & Judged;

/**
 * The steps that move a migration forward, the first one first: staging, failed accounts, differences, rows, documents, then
 * completion. Nobody is called ready without control totals, or after an undo that nothing followed.
 *
 * Source: choices, section 6 (`migration status`); choices V6, C12.
 */
export function nextSteps(facts: StepFacts): [NextStep, ...NextStep[]] {
  const { supplier, totals } = facts;
  const { accounts, control, loadedAccounts } = totals;
  const { status } = supplier;
  const code = shellWord(supplier.code);
  const wrong = control.too_many + control.wrong_amount;
  const { incomplete } = control;
  const isLoading = incomplete > 0 || loadedAccounts === 0;

  if (status === 'complete') return [at('none', null, 'The migration is complete.')];
  if (accounts.pending + accounts.in_progress + accounts.imported + accounts.failed === 0)
    return [at('stage', `accounts stage ${code} FILE`, 'No account is staged yet.')];
  if (status === 'paused' && (accounts.pending > 0 || accounts.failed > 0 || isLoading))
    return [
      at(
        'resume',
        `supplier set ${code} --status ongoing`,
        'Nothing is imported or loaded while the supplier is paused.',
      ),
    ];
  const [first, ...others] = [
    accounts.in_progress > 0
      ? at('wait', null, 'Accounts are being imported.')
      : accounts.pending > 0 &&
        at('import', `accounts import ${code}`, `${isOrAre(accounts.pending, 'account')} pending.`),
    accounts.failed > 0 &&
      at(
        'retry',
        `accounts retry ${code} --all`,
        `${isOrAre(accounts.failed, 'failed account')} left. First stage corrected data; "data-import accounts list ${code} --state failed" lists the accounts.`,
      ),
    wrong > 0 &&
      at(
        'differing',
        `migration differences ${code}`,
        `${isOrAre(wrong, 'account')} different from the control totals.`,
      ),
    incomplete > 0 && loadingStep(facts, `${isOrAre(incomplete, 'account')} not complete yet`),
  ].filter((step) => step !== false);
  if (first) return [first, ...others];
  return [isLoading ? loadingStep(facts, 'nothing is loaded yet') : stepAfterLoading(code, facts)];
}

/** What the supplier does about missing rows, by the reason why they are missing. @param left what is missing, in words */
function loadingStep({ refusals, isUndone, conditions }: StepFacts, left: string): NextStep {
  if (refusals > 0)
    return at('correct', null, `The supplier corrects the rejected requests and sends them again: ${left}.`);
  if (isUndone) return at('reload', null, `The supplier loads the undone rows again: ${left}.`);
  if (conditions.some(({ name, state }) => name === 'rows_missing' && state === 'problem'))
    return at('load', null, `Ask the supplier why it sends no rows: ${left}.`);
  return at('load', null, `The supplier loads the rest: ${left}.`);
}

/** @param code as a word of the shell */
function stepAfterLoading(code: string, facts: StepFacts): NextStep {
  const { accounts, control } = facts.totals;
  const unknown = accounts.imported - control.with;
  if (facts.isUndone)
    return at(
      'unknown',
      null,
      'An import was undone and no row was stored since: it is not known whether its rows will be sent again.',
    );
  if (facts.documents.missing + facts.documents.notLookedUp > 0)
    return at(
      'documents',
      `documents check ${code}`,
      `Some documents were not found in the store. They do not prevent "data-import migration complete ${code}".`,
    );
  if (unknown > 0 && facts.refusals > 0)
    return at('correct', null, 'The supplier corrects the rejected requests and sends them again.');
  if (unknown > 0)
    return at(
      'unknown',
      null,
      `Every account is imported, but nobody said what must be there in ${unknown === 1 ? '1 account' : `${unknown} accounts`}: it is not known whether rows are missing. Ask the supplier, or set control totals with "data-import accounts set-controls ${code} FILE".`,
    );
  return at(
    'complete',
    `migration complete ${code}`,
    'Every account is imported and matches its control totals.',
  );
}

function at(step: Step, command: string | null, reason: string): NextStep {
  return { step, command, reason };
}

/** `1 account is`, `2 accounts are` */
function isOrAre(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`;
}
