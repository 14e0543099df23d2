import type { AccountState } from '../../../accounts/status/account-state.js';

/** The names of account states on the pages. */
export const STATE_NAMES: Readonly<Record<AccountState, string>> = {
  pending: 'Pending',
  in_progress: 'In progress',
  imported: 'Imported',
  failed: 'Failed',
};
