import type { FormFields } from '../common/parameters.js';

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
