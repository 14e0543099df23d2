import type { ComponentChildren, VNode } from 'preact';
import { REMEDIES } from '../../../infrastructure/errors/remedies.js';
import { ADDRESSES } from '../common/addresses.js';
import { usePageContext } from './page-context.js';

/** The code for a value that is not among the allowed ones. Operators can add allowed values to some fields. */
const INVALID_CHOICE = 'invalid_choice';

/**
 * Advice for the sender of refused requests, with a link to the allowed values. An operator also sees the command that adds
 * a value.
 */
export function RefusalRemedy({
  refusal: { code, fieldCode },
}: {
  refusal: { readonly code: string | null; readonly fieldCode: string | null };
}): VNode {
  const { user, hasDocs } = usePageContext();
  const remedies: Readonly<Record<string, string>> = REMEDIES;
  const parts = (remedies[fieldCode ?? code ?? ''] ?? '').split('`');
  return (
    <>
      {parts.map((part, index): ComponentChildren => (index % 2 === 1 ? <code>{part}</code> : part))}
      {fieldCode === INVALID_CHOICE && user?.kind === 'operator' && (
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
