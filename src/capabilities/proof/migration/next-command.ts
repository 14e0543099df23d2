import { shellWord } from '../../../infrastructure/text/shell-word.js';
import type { ImportProgress } from '../../totals/import-progress.types.js';

/** The command that an operator runs next in a migration. */
export interface NextCommand {
  /** The words after `data-import`; null when the operator can only wait, or nothing is left to do. */
  readonly command: string | null;
  /** A sentence. */
  readonly reason: string;
}

/**
 * The command that moves a migration forward: staging, failed accounts, differences, documents, then completion, which
 * follows the rule of `migration complete`.
 *
 * @param areDocumentsUnseen whether a document was not found in the store, or not looked up yet
 * Source: choices, section 6 (`migration status`); choice V6.
 */
export function nextCommand(
  code: string,
  { status, totals }: Pick<ImportProgress, 'status' | 'totals'>,
  areDocumentsUnseen: boolean,
): NextCommand {
  const { accounts, control, loadedAccounts } = totals;
  const word = shellWord(code);
  const wrong = control.too_many + control.wrong_amount;
  const incomplete = control.incomplete + control.not_imported;
  if (status === 'complete') return wait('The migration is complete.');
  if (accounts.pending + accounts.in_progress + accounts.imported + accounts.failed === 0)
    return next(`accounts stage ${word} FILE`, 'No account is staged yet.');
  const isLoading = incomplete > 0 || loadedAccounts === 0;
  if (status === 'paused' && (accounts.pending > 0 || accounts.failed > 0 || isLoading))
    return next(
      `supplier set ${word} --status ongoing`,
      'Nothing is imported or loaded while the supplier is paused.',
    );
  if (accounts.in_progress > 0) return wait('Accounts are being imported.');
  if (accounts.pending > 0)
    return next(`accounts import ${word}`, `${isOrAre(accounts.pending, 'account')} pending.`);
  if (accounts.failed > 0)
    return next(
      `accounts retry ${word} --all`,
      `${isOrAre(accounts.failed, 'failed account')} left. First stage corrected data; "data-import accounts list ${word} --state failed" lists the accounts.`,
    );
  if (wrong > 0)
    return next(
      `migration differences ${word}`,
      `${isOrAre(wrong, 'account')} different from the control totals.`,
    );
  if (isLoading) {
    const left =
      incomplete > 0 ? `${isOrAre(incomplete, 'account')} not complete yet` : 'nothing is loaded yet';
    return wait(`The supplier loads the rest: ${left}.`);
  }
  if (areDocumentsUnseen)
    return next(
      `documents check ${word}`,
      `Some documents were not found in the store. They do not prevent "data-import migration complete ${word}".`,
    );
  const unknown = accounts.imported - control.with;
  return next(
    `migration complete ${word}`,
    unknown > 0
      ? `Every account is imported and none differs. For the accounts without control totals (${unknown}) the supplier confirms that everything is loaded.`
      : 'Every account is imported and matches its control totals.',
  );
}

/** `1 account is`, `2 accounts are` */
function isOrAre(count: number, noun: string): string {
  return count === 1 ? `1 ${noun} is` : `${count} ${noun}s are`;
}

function next(command: string, reason: string): NextCommand {
  return { command, reason };
}

function wait(reason: string): NextCommand {
  return { command: null, reason };
}
