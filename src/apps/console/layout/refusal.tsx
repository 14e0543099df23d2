import type { VNode } from 'preact';
import type {
  RefusedField,
  RefusedItems,
} from '../../../capabilities/request-log/requests/refused-items.types.js';
import type { RefusalFacts } from '../../../capabilities/request-log/requests/refusals.types.js';
import type { RequestDetails } from '../../../capabilities/request-log/requests/sent-requests.types.js';
import { REMEDIES } from '../../../infrastructure/errors/remedies.js';
import type { ImportKind } from '../../../infrastructure/item-names/item-names.js';
import { didYouMean } from '../../../infrastructure/text/near-matches.js';
import { itemOf } from '../../../ingest/kinds/items.js';
import { ADDRESSES } from '../common/addresses.js';
import { formatCount } from '../common/format.js';
import { allowedValues, catalogueOf } from './allowed-values.js';
import { usePageContext } from './page-context.js';
import type { Pair } from './pairs.js';

/** How a request was refused. Nothing but kind and status is known of another organisation's. */
interface Refusal extends Partial<Pick<RequestDetails, 'code' | 'isDryRun'>> {
  /** Null for requests of any endpoint. */
  readonly kind: ImportKind | null;
  readonly status: number | null;
}

/** `Rejected notes: 400 validation_error, dry run` */
export function refusedTitle({ kind, status, code, isDryRun }: Refusal): string {
  const what = kind === null ? 'request of any endpoint' : itemOf(kind).requestWords;
  return `Rejected ${what}: ${[status, code].filter(Boolean).join(' ')}${isDryRun === true ? ', dry run' : ''}`;
}

/** The first field at fault: `blank at notes.0.body` */
export function fieldText({ fieldCode, attr }: Pick<RequestDetails, 'fieldCode' | 'attr'>): string {
  return [fieldCode, attr].filter(Boolean).join(' at ');
}

/** `blank in notes.body` */
export function ErrorName({ code, field }: { code: string | null; field: string | null }): VNode {
  if (field === null || field === '') return <code>{code}</code>;
  return (
    <>
      <code>{code}</code> in <code>{field}</code>
    </>
  );
}

/** The error of the viewer's own refused request, advice, and the items that are kept (choice C9). */
export function refusalPairs(kind: ImportKind | null, details: RequestDetails): Pair[] {
  const { items, attr } = details;
  return [
    ['Field', fieldText(details)],
    ['What to do', <Remedy refusal={details} kind={kind} field={attr} />],
    ['Items', items ? <Items items={items} kind={kind} /> : 'not recorded'],
  ];
}

/** The code for a value that is not among the allowed ones. */
const INVALID_CHOICE = 'invalid_choice';

interface RemedyProps {
  readonly refusal: Pick<RequestDetails, 'code' | 'fieldCode'> &
    Partial<Pick<RequestDetails, 'items'> & Pick<RefusalFacts, 'values'>>;
  /** Null for requests of any endpoint. */
  readonly kind: ImportKind | null;
  /** Path of the first field at fault. */
  readonly field: string | null;
}

/** Advice for the sender of refused requests, by their code; for a field with allowed values by the field. */
export function Remedy({ refusal, kind, field }: RemedyProps): VNode {
  const { code, fieldCode } = refusal;
  if (fieldCode === INVALID_CHOICE && field !== null) return <ChoiceRemedy {...{ refusal, kind, field }} />;
  const remedies: Readonly<Record<string, string>> = REMEDIES;
  const parts = (remedies[fieldCode ?? code ?? ''] ?? '').split('`');
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/**
 * Operators can add allowed values to a field with a catalogue, and are told how; not for a mistyped value, of which another hint
 * names what was probably meant.
 */
function ChoiceRemedy({ refusal, kind, field }: RemedyProps & { field: string }): VNode {
  const { user, hasDocs } = usePageContext();
  const { items, values = items?.at_fault?.[0]?.errors.slice(0, 1) } = refusal;
  const isMistyped = values?.[0] && values.every(({ value }) => value && nearValues(kind, field, value));
  const catalogue = isMistyped ? undefined : catalogueOf(kind, field);
  return (
    <>
      Send one of the allowed values
      {catalogue !== undefined && user?.kind === 'admin' && ', or ask the operators to add this one'}
      {catalogue !== undefined && user?.kind !== 'admin' && (
        <>
          , or add this one: <code>data-import catalogue add {catalogue} VALUE</code>
        </>
      )}
      . {hasDocs && <a href={ADDRESSES.allowedValues}>Allowed values</a>}
    </>
  );
}

/** A hint at the allowed values of a field that are near to a rejected one. */
export function nearValues(kind: ImportKind | null, field: string, value: string): string {
  return didYouMean(value, allowedValues(kind, field, usePageContext().catalogues));
}

interface ItemsProps {
  readonly items: RefusedItems;
  readonly kind: ImportKind | null;
}

/** The first item at fault and its error, after the request. */
export function FirstFault({ items: { at_fault: [first] = [] }, kind }: ItemsProps): VNode | null {
  if (!first?.errors[0]) return null;
  return (
    <>
      : <code>{first.id}</code> <Field field={first.errors[0]} kind={kind} />
    </>
  );
}

/** The items at fault with their errors, then the others. */
function Items({ items: { at_fault: atFault = [], others = [] }, kind }: ItemsProps): VNode {
  return (
    <ul class="refused-items">
      {atFault.map(({ at, id, errors }) => (
        <li key={at}>
          {id !== undefined && <code>{id}</code>} <span class="muted">{at === '' ? 'The request' : at}</span>
          <ul>
            {errors.map((error) => (
              <li key={error.attr}>
                <Field field={error} kind={kind} />
              </li>
            ))}
          </ul>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <span class="muted">{atFault.length > 0 ? 'Rejected with them: ' : 'Rejected: '}</span>
          <code>{others.join(', ')}</code>
        </li>
      )}
    </ul>
  );
}

function Field({
  field: { attr, code, value, form, length },
  kind,
}: Pick<ItemsProps, 'kind'> & { field: RefusedField }): VNode {
  return (
    <>
      {attr === '' ? code : `${attr}: ${code}`}
      {value !== undefined && (
        <>
          {', '}
          <q class="text">{value}</q>
          {code === INVALID_CHOICE && nearValues(kind, attr, value)}
        </>
      )}
      {form !== undefined && <span class="muted">, {formText(form, length)}</span>}
    </>
  );
}

const FORMS = { number: 'a number', boolean: 'true or false', object: 'an object', null: 'null' };

/** `a text of 23 characters` */
function formText(form: NonNullable<RefusedField['form']>, length = 0): string {
  if (form === 'text') return `a text of ${formatCount(length)} characters`;
  return form === 'list' ? `a list of ${formatCount(length)}` : FORMS[form];
}
