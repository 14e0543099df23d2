import type { VNode } from 'preact';
import { REMEDIES } from '../../../infrastructure/errors/remedies.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import { ADDRESSES } from '../common/addresses.js';
import { catalogueOf } from './allowed-values.js';
import { usePageContext } from './page-context.js';

/** The code for a value that is not among the allowed ones. */
const INVALID_CHOICE = 'invalid_choice';

interface RemedyProps {
  readonly refusal: { readonly code: string | null; readonly fieldCode: string | null };
  /** Null for requests of any endpoint. */
  readonly kind: ImportKind | null;
  /** Path of the first field at fault. */
  readonly field: string | null;
}

/** Advice for the sender of refused requests, by their code; for a field with allowed values by the field. */
export function RefusalRemedy({ refusal: { code, fieldCode }, kind, field }: RemedyProps): VNode {
  if (fieldCode === INVALID_CHOICE && field !== null) return <ChoiceRemedy kind={kind} field={field} />;
  const remedies: Readonly<Record<string, string>> = REMEDIES;
  const parts = (remedies[fieldCode ?? code ?? ''] ?? '').split('`');
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** Operators can add allowed values to a field with a catalogue, and are told how. */
function ChoiceRemedy({ kind, field }: { kind: ImportKind | null; field: string }): VNode {
  const { user, hasDocs } = usePageContext();
  const catalogue = catalogueOf(kind, field);
  return (
    <>
      Send one of the allowed values
      {catalogue !== undefined && user?.kind === 'admin' && ', or ask the operators to add this one'}
      {catalogue !== undefined && user?.kind === 'operator' && (
        <>
          , or add this one: <code>data-import catalogue add {catalogue} VALUE</code>
        </>
      )}
      .
      {hasDocs && (
        <>
          {' '}
          <a href={ADDRESSES.allowedValues}>Allowed values</a>
        </>
      )}
    </>
  );
}
