import { NotAllowed } from '../common/page-errors.js';
import { readText, type FormFields } from '../common/parameters.js';

/** The order in a form: to complete the supplier if nothing is missing, or anyway for a reason. */
export type SubmittedCompletion = { readonly reason: string | undefined } | { readonly problem: string };

/**
 * Read a form that completes a supplier. To complete it anyway the form needs a reason and the supplier's code, typed in.
 *
 * @param code of the supplier
 * @throws NotAllowed for anything that the forms of the page do not send
 * Source: choice C13.
 */
export function readCompletionForm(form: FormFields, code: string): SubmittedCompletion {
  if (form.anyway === undefined) return { reason: undefined };
  if (form.anyway !== 'yes') throw new NotAllowed();
  if (form.code?.trim() !== code) return { problem: `Type the code ${code} to complete it anyway.` };
  const reason = readText(form.reason);
  return reason === undefined ? { problem: 'Enter the reason why it is completed anyway.' } : { reason };
}
