import { LISTED_STATES, LOADS, type AccountListFilter } from '../../../accounts/lists/account-lists.types.js';
import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type FormFields, type SentQuery } from '../common/parameters.js';

/**
 * The filters of an address (choice C10). An empty one, which a form sends for all, is none.
 *
 * @throws PageNotFound when a filter has a value that it cannot have
 */
export function accountFilterOf({ state, load, differs, cause }: SentQuery): AccountListFilter {
  return {
    state: oneOf(LISTED_STATES, state),
    load: oneOf(LOADS, load),
    differs: oneOf(['1'], differs) !== undefined,
    cause: readOptionalSegment(cause === '' ? undefined : cause),
  };
}

function oneOf<Value extends string>(values: readonly Value[], sent: unknown): Value | undefined {
  if (sent === undefined || sent === '') return undefined;
  const found = values.find((value) => value === sent);
  if (found === undefined) throw new PageNotFound();
  return found;
}

/** The same filters as parameters of an address. */
export function filterParameters(filter: AccountListFilter): Readonly<Record<string, string | undefined>> {
  const { state, load, differs, cause } = filter;
  return { state, load, differs: differs === true ? '1' : undefined, cause };
}

const CHOSEN = 'account-';

/** The name of the field of an account that can be chosen: of a name that is sent several times only one value is read. */
export function chosenField(index: number): string {
  return `${CHOSEN}${index}`;
}

/** The field of a form whose accounts the operator has confirmed. */
export const CONFIRMED = 'confirmed';

/** The numbers of the accounts that were chosen. */
export function chosenNumbers(form: FormFields): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    name.startsWith(CHOSEN) && value !== undefined ? [value] : [],
  );
}
