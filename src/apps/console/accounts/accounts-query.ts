import {
  LISTED_STATES,
  HAS_LOAD,
  type AccountListFilter,
} from '../../../accounts/lists/account-lists.types.js';
import { PageNotFound } from '../common/page-errors.js';
import { readOptionalSegment, type FormFields, type SentQuery } from '../common/parameters.js';

/**
 * The filters in an address (choice C10). A form sends an empty value for a filter that is not set.
 *
 * @throws PageNotFound when a filter has an invalid value
 */
export function accountFilterOf({ state, load, differs, cause }: SentQuery): AccountListFilter {
  return {
    state: oneOf(LISTED_STATES, state),
    load: oneOf(HAS_LOAD, load),
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

/** The name of the field that chooses an account. Each account has its own name, because only one value of a repeated name is read. */
export function chosenField(index: number): string {
  return `${CHOSEN}${index}`;
}

/** The form field that says that the operator has confirmed the accounts. */
export const CONFIRMED = 'confirmed';

/** The numbers of the accounts that were chosen. */
export function chosenNumbers(form: FormFields): string[] {
  return Object.entries(form).flatMap(([name, value]) =>
    name.startsWith(CHOSEN) && value !== undefined ? [value] : [],
  );
}
