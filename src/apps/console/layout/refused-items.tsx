import type { VNode } from 'preact';
import type {
  RefusedField,
  RefusedItem,
  RefusedItems as Kept,
} from '../../../capabilities/request-log/requests/refused-items.types.js';
import { formatCount } from '../common/format.js';

/** The items of a refused request, as far as they are kept: first those at fault with their errors, then the others (choice C9). */
export function RefusedItems({ items: { at_fault: atFault = [], others = [] } }: { items: Kept }): VNode {
  return (
    <ul class="refused-items">
      {atFault.map((item) => (
        <li key={item.at}>
          <Name item={item} />
          <ul>
            {item.errors.map((error) => (
              <li key={error.attr}>
                <FieldText field={error} />
              </li>
            ))}
          </ul>
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <span class="muted">{atFault.length > 0 ? 'Rejected with them: ' : 'Rejected: '}</span>
          {others.map((id, index) => (
            <>
              {index > 0 && ', '}
              <code>{id}</code>
            </>
          ))}
        </li>
      )}
    </ul>
  );
}

function Name({ item: { at, id } }: { item: RefusedItem }): VNode {
  return (
    <>
      {id !== undefined && <code>{id}</code>} <span class="muted">{at === '' ? 'The request' : at}</span>
    </>
  );
}

function FieldText({ field: { attr, code, value, form, length } }: { field: RefusedField }): VNode {
  return (
    <>
      {attr === '' ? '' : `${attr}: `}
      {code}
      {value !== undefined && (
        <>
          {', '}
          <q class="text">{value}</q>
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
