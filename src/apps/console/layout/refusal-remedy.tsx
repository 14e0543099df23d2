import type { ComponentChildren, VNode } from 'preact';
import { REMEDIES } from '../../../infrastructure/errors/remedies.js';
import { ADDRESSES } from '../common/addresses.js';
import { usePageContext } from './page-context.js';

/** Of closed lists, to some of which an operator can add. */
const INVALID_CHOICE = 'invalid_choice';

/** What whoever sends requests can do about a refusal, and where the allowed values are; an operator is told the command that adds one. */
export function RefusalRemedy({
  of: { code, fieldCode },
}: {
  of: { readonly code: string | null; readonly fieldCode: string | null };
}): VNode {
  const { signedIn, hasDocs } = usePageContext();
  const remedies: Readonly<Record<string, string>> = REMEDIES;
  const parts = (remedies[fieldCode ?? code ?? ''] ?? '').split('`');
  return (
    <>
      {parts.map((part, index): ComponentChildren => (index % 2 === 1 ? <code>{part}</code> : part))}
      {fieldCode === INVALID_CHOICE && signedIn?.kind === 'operator' && (
        <>
          {' '}
          The command is <code>data-import catalogue add FIELD VALUE</code>.
        </>
      )}
      {fieldCode === INVALID_CHOICE && hasDocs && (
        <>
          {' '}
          <a href={ADDRESSES.allowedValues}>Allowed values</a>
        </>
      )}
    </>
  );
}
